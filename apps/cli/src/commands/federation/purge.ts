import { Command } from '@commander-js/extra-typings';
import { nowSeconds } from '@vestibule/protocol';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/cli.js';
import { withExamples } from '../../frame/examples.js';
import { withStore } from '../../installation/with-store.js';

/** `vestibule federation purge` */
export const purgeStatements: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Makes every service discard its cached federation statements and failed fetches. The next registration fetches its whole trust chain again. Registered clients are kept.',
      )
      .addOption(actorOption())
      .action(({ actor }) =>
        withStore(cli, async ({ store: { database, clock } }) => {
          await database.federation.purgeStatements({ actor, now: nowSeconds(clock) });
          cli.terminal.show({ purged: true }, ['Every service discards its cached statements.']);
        }),
      ),
    ['federation purge', 'apply a correction in a federation at once'],
  );
