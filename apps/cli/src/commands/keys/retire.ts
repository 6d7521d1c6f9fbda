import { Command } from '@commander-js/extra-typings';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/cli.js';
import { withExamples } from '../../frame/examples.js';
import { withNotes } from '../../frame/notes.js';
import { withStore } from '../../installation/with-store.js';
import { recordedKeyChanges } from '../../keys/key-changes.js';
import { findKey, publishedOption } from '../../keys/key-options.js';

/** `vestibule keys retire` */
export const keysRetire: CommandFactory = (cli) =>
  withExamples(
    withNotes(new Command(), [
      'From then on the signatures of a key pair do not verify. Unless --at-once is given, that is not before every cached copy of the published keys has been refreshed.',
      'A retired seal key can still decrypt.',
      'Under a retired digest key nothing matches any more. It can be retired only a minute after another one became active, when no process that can decrypt the new key still writes under the old one.',
      'Tokens of another server that were issued before a digest key was replaced, and are imported after it was retired, count as revoked.',
      'Do not retire a digest key while data_keys_unopened is above 0 in any service.',
      'The active key cannot be retired: activate another one first.',
    ])
      .description('Retires a key, or changes when a retired key pair is no longer published.')
      .argument('<id>', 'key identifier, as shown by keys list')
      .addOption(publishedOption())
      .option('--at-once', 'after a compromise: retire the key even if recent signatures no longer verify')
      .addOption(actorOption())
      .action((id, { publishedSeconds, atOnce = false, actor }) =>
        withStore(cli, async (installation) => {
          const listed = await findKey(installation.store.database, id);
          await recordedKeyChanges(installation, actor).retire(listed, { publishedSeconds, atOnce });
          cli.terminal.show({ id, state: 'retired' }, [`The key ${id} is retired.`]);
        }),
      ),
    [
      'keys retire 7Q0b… --published-seconds 0 --at-once',
      'stop publishing a compromised key at once, after another one became active',
    ],
  );
