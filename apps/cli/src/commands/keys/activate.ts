import { Command } from '@commander-js/extra-typings';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/command-group.js';
import { withExamples } from '../../frame/examples.js';
import { withStore } from '../../installation/with-store.js';
import { keyChanges } from '../../keys/key-changes.js';
import { findKey, publishedOption } from '../../keys/key-options.js';

/** `vestibule keys activate` */
export const keysActivate: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Uses a pending key from now on. A key pair has to be published for as long as others may keep a copy of the published keys (KEY_SET_MAX_AGE_SECONDS, for federation keys FEDERATION_STATEMENT_LIFETIME_SECONDS, as the services have them) and a minute; it takes the place of the one of its ring and algorithm, which is retired and stays published for a while; a key that seals takes the place of the one before, which still opens.',
      )
      .argument('<id>', 'the key, as keys list shows it')
      .addOption(publishedOption())
      .option('--at-once', 'also a key pair that some copies of the published keys lack, after a compromise')
      .addOption(actorOption())
      .action((id, { publishedSeconds, atOnce = false, actor }) =>
        withStore(cli, async (installation) => {
          const listed = await findKey(installation.store.database, id);
          await keyChanges(installation, actor).activate(listed, { publishedSeconds, atOnce });
          cli.terminal.show({ id, state: 'active' }, [
            `The key ${id} is active.`,
            ...(listed.kind === 'data' && listed.key.purpose === 'seal'
              ? ['Next, after a minute: vestibule keys rewrap']
              : []),
          ]);
        }),
      ),
    ['keys activate 7Q0b…', 'use the key from now on'],
    [
      'keys activate 7Q0b… --published-seconds 86400',
      'drop the one before from the published set after a day',
    ],
  );
