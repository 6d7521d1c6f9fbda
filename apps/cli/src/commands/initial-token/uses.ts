import { Command } from '@commander-js/extra-typings';
import type { InitialTokenUse } from '@vestibule/database';
import type { CommandFactory } from '../../frame/cli.js';
import { withExamples } from '../../frame/examples.js';
import { timeText } from '../../frame/plain-text.js';
import { withDatabase } from '../../installation/with-database.js';
import { requireInitialToken } from './require-initial-token.js';

/** `vestibule initial-token uses` */
export const listInitialTokenUses: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Lists the clients that were registered with an initial access token, including deleted ones, in the order of registration. After the token was revoked, or expired and was cleaned up, the audit events initial_access_token.spent have the same information.',
      )
      .argument('<id>', 'token identifier, as shown by initial-token list')
      .action((id) =>
        withDatabase(cli, async ({ database: { listedInitialTokens } }) => {
          const { digest } = await requireInitialToken(listedInitialTokens, id);
          const uses = rowsOf(listedInitialTokens.uses(digest));
          await cli.terminal.list(uses, COLUMNS, 'No client was registered with this token.');
        }),
      ),
    ['initial-token uses 5f3a09c1', 'list the clients registered with a token'],
  );

async function* rowsOf(pages: AsyncIterable<readonly InitialTokenUse[]>) {
  for await (const page of pages) yield* page.map(rowOf);
}

function rowOf({ clientId, usedAt }: InitialTokenUse) {
  return { client_id: clientId, used_at: usedAt };
}

type Row = ReturnType<typeof rowOf>;

const COLUMNS = [
  { title: 'CLIENT', cell: ({ client_id }: Row) => client_id },
  { title: 'USED', cell: ({ used_at }: Row) => timeText(used_at) },
];
