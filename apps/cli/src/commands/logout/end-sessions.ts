import { Command } from '@commander-js/extra-typings';
import { epochSeconds, systemClock } from '@vestibule/protocol';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/cli.js';
import { EXIT, misused } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { withDatabase } from '../../installation/with-database.js';

/** `vestibule logout end-sessions` */
export const logoutEndSessions: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Ends every session of an end-user, or one session, revokes the tokens that end with it, and queues a notification for each client with a back-channel logout URI. Tokens that outlive their session stay active: tokens revoke --sub revokes those too. Exits with 3 if there is no session --sid.',
      )
      .option('--sub <subject>', 'end every session of this end-user')
      .option(
        '--sid <session>',
        'end this session, by its own identifier or by the sid that a client has for it',
      )
      .addOption(actorOption())
      .action(async ({ sub, sid, actor }) => {
        if ((sub === undefined) === (sid === undefined))
          throw misused('Give exactly one of --sub and --sid.');
        const ended = await withDatabase(cli, async ({ database }) => {
          const { sessions } = database.actingAs({ actor, clock: systemClock });
          // Token checks use the time of the database too.
          const now = epochSeconds(Math.floor((await database.nowMs()) / 1000));
          if (sub !== undefined) return sessions.endOfSubject(sub, now);
          return (await sessions.end(sid ?? '', now)) ? 1 : 0;
        });
        cli.terminal.show({ ended }, [ended === 1 ? 'Ended 1 session.' : `Ended ${ended} sessions.`]);
        if (ended === 0 && sid !== undefined) cli.exitWith(EXIT.notFound);
      }),
    ['logout end-sessions --sub alice --actor jane', 'log an end-user out everywhere, and record who did it'],
    ['logout end-sessions --sid k3Vb…', 'end one session'],
  );
