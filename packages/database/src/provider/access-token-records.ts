import type { ProviderRecords } from '@vestibule/tokens/provider';
import { TOKEN_COLUMNS } from '../access-token-columns.js';
import { assignments, type ColumnsOf, columnNames, parameters, placeholders } from '../columns.js';
import { ignoreForeignKeyViolation } from '../database-errors.js';
import type { AccessToken } from '../generated/client.js';
import { recordClientUse, useOfToken } from '../record-client-use.js';
import { whileSessionOfToken } from '../revocation-cutoff.js';
import type { RunStatement, Statement } from '../statement.js';
import { recordFromRow, type StoredRow } from './stored-row.js';

const COLUMNS = { ...TOKEN_COLUMNS, payload: 'jsonb' } as const satisfies ColumnsOf<AccessToken>;
const AFTER_ALL = Object.keys(COLUMNS).length + 1;

/**
 * The statements for access tokens of an authorization server. By hand, because each request for a token or for userinfo
 * needs them: Prisma Client takes four times as long, and 30 MB of each instance.
 */
export const ACCESS_TOKEN_RECORD_STATEMENTS = {
  save: {
    name: 'provider-access-token-save',
    text: `WITH ${recordClientUse(useOfToken(COLUMNS))}
      INSERT INTO access_token (${columnNames(COLUMNS)}, digest)
      SELECT ${placeholders(COLUMNS)}, $${AFTER_ALL}::bytea WHERE ${whileSessionOfToken(COLUMNS, `$${AFTER_ALL + 1}`)}
      ON CONFLICT (digest) DO UPDATE SET ${assignments(COLUMNS)}`,
    repeatable: true,
  },
  find: {
    name: 'provider-access-token-find',
    text: `SELECT payload, NULL AS "consumedAt" FROM access_token
      WHERE digest = ANY($1::bytea[]) AND payload IS NOT NULL AND expires_at > to_timestamp($2) LIMIT 1`,
    repeatable: true,
  },
  destroy: {
    name: 'provider-access-token-destroy',
    text: 'DELETE FROM access_token WHERE digest = ANY($1::bytea[])',
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

/** Creates the store of access tokens with the payload of the authorization server, in Postgres. */
export function accessTokenRecords(run: RunStatement): ProviderRecords['accessTokens'] {
  const { save, find, destroy } = ACCESS_TOKEN_RECORD_STATEMENTS;
  return {
    save: async (digest, token, payload, { outlivesSession = false } = {}) => {
      const since = outlivesSession ? token.issuedAt : null;
      await ignoreForeignKeyViolation(
        run(save, [...parameters(COLUMNS, { ...token, payload }), digest, since]),
      );
    },
    find: async (digests, now) => recordFromRow((await run<StoredRow>(find, [digests, now])).rows[0]),
    destroy: async (digests) => {
      await run(destroy, [digests]);
    },
  };
}
