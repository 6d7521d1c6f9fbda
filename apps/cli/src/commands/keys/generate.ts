import { Argument, Command, Option } from '@commander-js/extra-typings';
import type { AuditActor } from '@vestibule/clients';
import { addDataKey, addSigningKey, secureRandom } from '@vestibule/crypto';
import { actorOption } from '../../frame/actor-option.js';
import { misused } from '../../frame/command-failure.js';
import type { CommandFactory } from '../../frame/command-group.js';
import { withExamples } from '../../frame/examples.js';
import { timeText } from '../../frame/plain-text.js';
import { type OpenKeysInstallation, withStore } from '../../installation/with-store.js';
import { announcementSeconds } from '../../keys/key-copies.js';
import {
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
      .addOption(
        new Option('--algorithm <name>', 'its algorithm; required for a key pair').choices(ALGORITHMS),
      )
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

const ALGORITHMS = [...ringAlgorithms('provider'), ...ringAlgorithms('encryption')];

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
  { store, keyEncryptionKeys, environment }: OpenKeysInstallation,
  { ring, algorithm, actor }: Wanted,
): Promise<Made> {
  const { dataKeys, signingKeys } = store.database.actingAs({ actor, clock: store.clock });
  if (ring === 'seal' || ring === 'digest') {
    if (algorithm !== undefined) throw misused('Data keys have no algorithm to choose.');
    const deps = { store: dataKeys, keyEncryptionKeys, clock: store.clock, random: secureRandom };
    return { listed: { kind: 'data', key: await addDataKey(deps, ring) }, whenToActivate: 'after a minute' };
  }
  const purpose = keyPairPurpose(ring, algorithm);
  if (purpose === undefined)
    throw misused(`The ring ${ring} needs --algorithm, one of ${ringAlgorithms(ring).join(', ')}.`);
  // Settings that are wrong are refused before anything is made.
  const seconds = announcementSeconds(environment, purpose.keySet);
  const key = await addSigningKey({ store: signingKeys, sealer: store.sealer, clock: store.clock }, purpose);
  return { listed: { kind: 'signing', key }, whenToActivate: `from ${timeText(key.createdAt + seconds)} on` };
}
