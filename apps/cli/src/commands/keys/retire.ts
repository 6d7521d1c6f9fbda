import { Command } from '@commander-js/extra-typings';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/command-group.js';
import { withExamples } from '../../frame/examples.js';
import { withStore } from '../../installation/with-store.js';
import { keyChanges } from '../../keys/key-changes.js';
import { findKey, publishedOption } from '../../keys/key-options.js';

/** `vestibule keys retire` */
export const keysRetire: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Retires a key by hand, or changes when a retired key pair disappears. What it signed does not verify any more when it has disappeared, which is not before others have read the published keys again, unless it goes at once. A retired key for sealing still opens; under a retired key for digests nothing matches any more, and it can be retired a minute after another became active at the earliest, when no process that can open the other one writes under it any more: not while `data_keys_unopened` is above 0 anywhere. The key in use cannot be retired: activate another first.',
      )
      .argument('<id>', 'the key, as keys list shows it')
      .addOption(publishedOption())
      .option('--at-once', 'also where what it has just signed does not verify any more, after a compromise')
      .addOption(actorOption())
      .action((id, { publishedSeconds, atOnce = false, actor }) =>
        withStore(cli, async (installation) => {
          const listed = await findKey(installation.store.database, id);
          await keyChanges(installation, actor).retire(listed, { publishedSeconds, atOnce });
          cli.terminal.show({ id, state: 'retired' }, [`The key ${id} is retired.`]);
        }),
      ),
    [
      'keys retire 7Q0b… --published-seconds 0 --at-once',
      'drop a compromised key at once, after another became active',
    ],
  );
