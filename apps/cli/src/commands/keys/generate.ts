import { Argument, Command } from '@commander-js/extra-typings';
import type { AuditActor } from '@vestibule/clients';
import {
  isDataRing,
  keyPairPurpose,
  keyRecord,
  type ListedKey,
  RING_NAMES,
  type Ring,
  ringAlgorithms,
} from '@vestibule/crypto/key-rings';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/cli.js';
import { misused } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { timeText } from '../../frame/plain-text.js';
import { type OpenKeysInstallation, withStore } from '../../installation/with-store.js';
import { recordedKeyChanges } from '../../keys/key-changes.js';
import { publicationSeconds } from '../../keys/key-copies.js';
import { algorithmOption } from '../../keys/key-options.js';

/** `vestibule keys generate` */
export const keysGenerate: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Creates a pending key, the first step of a rotation. Every process loads it, and publishes it if it is a key pair, before the key is used. Activate a data key after a minute, and a key pair when every cached copy of the published keys has been refreshed; the output says when.',
      )
      .addArgument(new Argument('<ring>', 'the ring of the key').choices(RING_NAMES))
      .addOption(algorithmOption('algorithm of the key; required for a key pair'))
      .addOption(actorOption())
      .action((ring, { algorithm, actor }) =>
        withStore(cli, async (installation) => {
          const { listed, whenToActivate } = await generate(installation, { ring, algorithm, actor });
          const record = keyRecord(listed);
          cli.terminal.show(record, [
            `Created the pending key ${record.id}.`,
            `Next, ${whenToActivate}: vestibule keys activate ${record.id}`,
          ]);
        }),
      ),
    ['keys generate provider --algorithm ES256', 'start rotating the key that signs tokens'],
    ['keys generate seal', 'start rotating the key that encrypts stored secrets'],
  );

interface Wanted {
  readonly ring: Ring;
  readonly algorithm: string | undefined;
  readonly actor: AuditActor;
}

interface Made {
  readonly listed: ListedKey;
  /** Part of a sentence. */
  readonly whenToActivate: string;
}

async function generate(
  installation: OpenKeysInstallation,
  { ring, algorithm, actor }: Wanted,
): Promise<Made> {
  const changes = recordedKeyChanges(installation, actor);
  if (isDataRing(ring)) {
    if (algorithm !== undefined) throw misused('--algorithm: data keys have a fixed algorithm.');
    return { listed: await changes.add({ kind: 'data', purpose: ring }), whenToActivate: 'after a minute' };
  }
  const purpose = keyPairPurpose(ring, algorithm);
  if (purpose === undefined)
    throw misused(`The ring ${ring} needs --algorithm, one of ${ringAlgorithms(ring).join(', ')}.`);
  // Validate the settings before creating keys.
  const seconds = publicationSeconds(installation.environment, purpose.keySet);
  const listed = await changes.add({ kind: 'signing', purpose });
  return { listed, whenToActivate: `at ${timeText(keyRecord(listed).created_at + seconds)} or later` };
}
