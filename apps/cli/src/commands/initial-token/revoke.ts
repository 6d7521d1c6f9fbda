import { Command } from '@commander-js/extra-typings';
import { systemClock } from '@vestibule/protocol';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/cli.js';
import { withExamples } from '../../frame/examples.js';
import { withDatabase } from '../../installation/with-database.js';
import { noSuchToken, requireInitialToken } from './require-initial-token.js';

/** `vestibule initial-token revoke` */
export const revokeInitialToken: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description('Revokes an initial access token. Clients that were registered with it are kept.')
      .argument('<id>', 'token identifier, as shown by initial-token list')
      .addOption(actorOption())
      .action((id, { actor }) =>
        withDatabase(cli, async ({ database }) => {
          const token = await requireInitialToken(database.listedInitialTokens, id);
          const { initialAccessTokens } = database.actingAs({ actor, clock: systemClock });
          if (!(await initialAccessTokens.delete([token.digest]))) throw noSuchToken();
          cli.terminal.show({ revoked: id }, ['Revoked.']);
        }),
      ),
    ['initial-token revoke 5f3a09c1', 'revoke an initial access token'],
  );
