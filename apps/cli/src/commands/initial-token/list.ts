import { Command } from '@commander-js/extra-typings';
import type { ListedInitialToken, ListedInitialTokens } from '@vestibule/database';
import { nowSeconds, systemClock } from '@vestibule/protocol';
import type { CommandFactory } from '../../frame/cli.js';
import { withExamples } from '../../frame/examples.js';
import { timeText } from '../../frame/plain-text.js';
import { withDatabase } from '../../installation/with-database.js';

/** `vestibule initial-token list` */
export const listInitialTokens: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Lists the usable initial access tokens in the order of issue. A token is identified by the first characters of its digest, as in audit events; the token itself is not stored.',
      )
      .option('--all', 'also list used-up and expired tokens that were not cleaned up yet')
      .action(({ all }) =>
        withDatabase(cli, async ({ database }) => {
          const tokens = rowsOf(database.listedInitialTokens, all === true);
          await cli.terminal.list(tokens, COLUMNS, 'No initial access tokens match.');
        }),
      ),
    ['initial-token list', 'list the tokens that can still be used'],
  );

async function* rowsOf(tokens: ListedInitialTokens, isAll: boolean) {
  const now = nowSeconds(systemClock);
  for await (const page of tokens.list()) {
    for (const token of page) {
      if (isAll || (token.usesLeft > 0 && token.expiresAt > now)) yield rowOf(token);
    }
  }
}

function rowOf({
  shortId,
  scope,
  issuedAt,
  expiresAt,
  usesLeft,
  uses,
  label,
  metadataTemplate,
}: ListedInitialToken) {
  return {
    id: shortId,
    scope,
    uses,
    uses_left: usesLeft,
    issued_at: issuedAt,
    expires_at: expiresAt,
    ...(label !== undefined && { label }),
    ...(metadataTemplate && { metadata: metadataTemplate }),
  };
}

type Row = ReturnType<typeof rowOf>;

const COLUMNS = [
  { title: 'ID', cell: ({ id }: Row) => id },
  { title: 'SCOPE', cell: ({ scope }: Row) => scope, isCut: true },
  { title: 'USED', cell: ({ uses }: Row) => uses },
  { title: 'LEFT', cell: ({ uses_left }: Row) => uses_left },
  { title: 'EXPIRES', cell: ({ expires_at }: Row) => timeText(expires_at) },
  { title: 'LABEL', cell: ({ label }: Row) => label, isCut: true },
];
