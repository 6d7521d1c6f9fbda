import { Command } from '@commander-js/extra-typings';
import { nowSeconds, systemClock } from '@vestibule/protocol';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/cli.js';
import { EXIT } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { withDatabase } from '../../installation/with-database.js';
import { hostOption, namesIn, redirectUriOption, softwareIdOption } from './block-names.js';

/** `vestibule clients unblock` */
export const unblockRegistrations: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Lifts blocks. Deleted clients are not restored, but may register again. Exits with 3 if one of them does not exist.',
      )
      .addOption(hostOption())
      .addOption(redirectUriOption())
      .addOption(softwareIdOption())
      .addOption(actorOption())
      .action((options) => {
        const names = namesIn(options);
        return withDatabase(cli, async ({ database }) => {
          const lifted: string[] = [];
          const unknown: string[] = [];
          for (const name of names) {
            const change = { actor: options.actor, now: nowSeconds(systemClock) };
            const isLifted = await database.clientBlocks.remove(name, change);
            (isLifted ? lifted : unknown).push(`${name.kind} ${name.value}`);
          }
          cli.terminal.show({ lifted, unknown }, [
            ...lifted.map((name) => `${name} is no longer blocked.`),
            ...unknown.map((name) => `${name} was not blocked.`),
          ]);
          if (unknown.length > 0) cli.exitWith(EXIT.notFound);
        });
      }),
    ['clients unblock --host app.example', 'let the clients of a host register again'],
  );
