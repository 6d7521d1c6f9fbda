import { Command } from '@commander-js/extra-typings';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/cli.js';
import { withExamples } from '../../frame/examples.js';
import { withNotes } from '../../frame/notes.js';
import { withStore } from '../../installation/with-store.js';
import { recordedKeyChanges } from '../../keys/key-changes.js';
import { findKey, publishedOption } from '../../keys/key-options.js';

/** `vestibule keys activate` */
export const keysActivate: CommandFactory = (cli) =>
  withExamples(
    withNotes(new Command(), [
      'A key pair must have been published for as long as the published keys may be cached, plus a minute: KEY_SET_MAX_AGE_SECONDS, or FEDERATION_STATEMENT_LIFETIME_SECONDS for federation keys, as set for the services.',
      'It replaces the key of the same ring and algorithm, which is retired and stays published for a while.',
      'A seal key replaces the previous seal key, which can still decrypt.',
    ])
      .description('Makes a pending key the active one.')
      .argument('<id>', 'key identifier, as shown by keys list')
      .addOption(publishedOption())
      .option(
        '--at-once',
        'after a compromise: activate a key pair even if cached copies of the published keys do not contain it yet',
      )
      .addOption(actorOption())
      .action((id, { publishedSeconds, atOnce = false, actor }) =>
        withStore(cli, async (installation) => {
          const listed = await findKey(installation.store.database, id);
          await recordedKeyChanges(installation, actor).activate(listed, { publishedSeconds, atOnce });
          cli.terminal.show({ id, state: 'active' }, [
            `The key ${id} is active.`,
            ...(listed.kind === 'data' && listed.key.purpose === 'seal'
              ? ['Next, after a minute: vestibule keys rewrap']
              : []),
          ]);
        }),
      ),
    ['keys activate 7Q0b…', 'activate the key'],
    ['keys activate 7Q0b… --published-seconds 86400', 'stop publishing the previous key after a day'],
  );
