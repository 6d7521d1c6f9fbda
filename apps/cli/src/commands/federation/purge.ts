import { Command } from '@commander-js/extra-typings';
import { nowSeconds } from '@vestibule/protocol';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/command-group.js';
import { withExamples } from '../../frame/examples.js';
import { withStore } from '../../installation/with-store.js';

/** `vestibule federation purge` */
export const purgeStatements: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Makes every service discard the statements of federations that it has cached, and what it could not fetch: the next registration fetches all of its chain again. Clients that are registered stay.',
      )
      .addOption(actorOption())
      .action(({ actor }) =>
        withStore(cli, async ({ store: { database, clock } }) => {
          await database.federation.purgeStatements({ actor, now: nowSeconds(clock) });
          cli.terminal.show({ purged: true }, ['Cached statements are discarded in every service.']);
        }),
      ),
    ['federation purge', 'let a correction in a federation take effect at once'],
  );
