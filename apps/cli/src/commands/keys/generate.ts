import { Argument, Command } from '@commander-js/extra-typings';
import type { AuditActor } from '@vestibule/clients';
import { actorOption } from '../../frame/actor-option.js';
import { misused } from '../../frame/command-failure.js';
import type { CommandFactory } from '../../frame/command-group.js';
import { withExamples } from '../../frame/examples.js';
import { timeText } from '../../frame/plain-text.js';
import { type OpenKeysInstallation, withStore } from '../../installation/with-store.js';
import { keyChanges } from '../../keys/key-changes.js';
import { publicationSeconds } from '../../keys/key-copies.js';
import { algorithmOption } from '../../keys/key-options.js';
import {
  isDataRing,
  keyPairPurpose,
  keyRecord,
  type ListedKey,
  RING_NAMES,
  type Ring,
  ringAlgorithms,
} from '../../keys/key-rings.js';

/** `vestibule keys generate` */
export const keysGenerate: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Makes a pending key, the first step of a rotation: every process learns it, and publishes it where it is a key pair, before anything is made with it. Activate it after a minute, a key pair when those who keep copies of the published keys have read them again: it says when.',
      )
      .addArgument(new Argument('<ring>', 'the ring that it is for').choices(RING_NAMES))
      .addOption(algorithmOption('its algorithm; required for a key pair'))
      .addOption(actorOption())
      .action((ring, { algorithm, actor }) =>
        withStore(cli, async (installation) => {
          const { listed, whenToActivate } = await generate(installation, { ring, algorithm, actor });
          const record = keyRecord(listed);
          cli.terminal.show(record, [
            `Made the pending key ${record.id}.`,
            `Next, ${whenToActivate}: vestibule keys activate ${record.id}`,
          ]);
        }),
      ),
    ['keys generate provider --algorithm ES256', 'begin to rotate the key that signs tokens'],
    ['keys generate seal', 'begin to rotate the key that seals secrets'],
  );

interface Wanted {
  readonly ring: Ring;
  readonly algorithm: string | undefined;
  readonly actor: AuditActor;
}

interface Made {
  readonly listed: ListedKey;
  /** In the words of a sentence. */
  readonly whenToActivate: string;
}

async function generate(
  installation: OpenKeysInstallation,
  { ring, algorithm, actor }: Wanted,
): Promise<Made> {
  const changes = keyChanges(installation, actor);
  if (isDataRing(ring)) {
    if (algorithm !== undefined) throw misused('Data keys have no algorithm to choose.');
    return { listed: await changes.add({ kind: 'data', purpose: ring }), whenToActivate: 'after a minute' };
  }
  const purpose = keyPairPurpose(ring, algorithm);
  if (purpose === undefined)
    throw misused(`The ring ${ring} needs --algorithm, one of ${ringAlgorithms(ring).join(', ')}.`);
  // Settings that are wrong are refused before anything is made.
  const seconds = publicationSeconds(installation.environment, purpose.keySet);
  const listed = await changes.add({ kind: 'signing', purpose });
  return { listed, whenToActivate: `from ${timeText(keyRecord(listed).created_at + seconds)} on` };
}
