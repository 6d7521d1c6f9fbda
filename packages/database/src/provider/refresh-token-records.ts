import type { ProviderRecords } from '@vestibule/tokens/provider';
import { assignments, type ColumnsOf, columnNames, parameters, placeholders } from '../columns.js';
import { ignoreForeignKeyViolation } from '../database-errors.js';
import type { RefreshToken } from '../generated/client.js';
import { recordClientUse, useOfToken } from '../record-client-use.js';
import { whileSessionOfToken } from '../revocation-cutoff.js';
import type { RunStatement, Statement } from '../statement.js';
import { recordFromRow, STORED_COLUMNS, type StoredRow } from './stored-row.js';

const COLUMNS = {
  clientId: 'text',
  subject: 'text',
  scope: 'text',
  issuedAt: 'time',
  expiresAt: 'time',
  payload: 'jsonb',
  authorizationId: 'text',
  sessionId: 'text',
} as const satisfies ColumnsOf<RefreshToken>;
const AFTER_ALL = Object.keys(COLUMNS).length + 1;

/** The statements for refresh tokens. By hand, because each request for a token needs them. */
export const REFRESH_TOKEN_RECORD_STATEMENTS = {
  save: {
    name: 'provider-refresh-token-save',
    text: `WITH ${recordClientUse(useOfToken(COLUMNS))}
      INSERT INTO refresh_token (${columnNames(COLUMNS)}, digest)
      SELECT ${placeholders(COLUMNS)}, $${AFTER_ALL}::bytea WHERE ${whileSessionOfToken(COLUMNS)}
      ON CONFLICT (digest) DO UPDATE SET ${assignments(COLUMNS)}`,
    repeatable: true,
  },
  find: {
    name: 'provider-refresh-token-find',
    text: `SELECT ${STORED_COLUMNS} FROM refresh_token
      WHERE digest = ANY($1::bytea[]) AND payload IS NOT NULL AND expires_at > to_timestamp($2) LIMIT 1`,
    repeatable: true,
  },
  // Not repeatable, because an attempt without a response may have consumed it.
  consume: {
    name: 'provider-refresh-token-consume',
    text: `UPDATE refresh_token SET consumed_at = to_timestamp($2)
      WHERE digest = ANY($1::bytea[]) AND consumed_at IS NULL AND expires_at > to_timestamp($2)
      RETURNING digest`,
    repeatable: false,
  },
  destroy: {
    name: 'provider-refresh-token-destroy',
    text: 'DELETE FROM refresh_token WHERE digest = ANY($1::bytea[])',
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

/** Creates the store of refresh tokens in Postgres. Imported ones have no payload and are not found. */
export function refreshTokenRecords(run: RunStatement): ProviderRecords['refreshTokens'] {
  const { save, find, consume, destroy } = REFRESH_TOKEN_RECORD_STATEMENTS;
  return {
    save: (digest, token) => ignoreForeignKeyViolation(run(save, [...parameters(COLUMNS, token), digest])),
    find: async (digests, now) => recordFromRow((await run<StoredRow>(find, [digests, now])).rows[0]),
    consume: async (digests, now) => (await run(consume, [digests, now])).rowCount > 0,
    destroy: async (digests) => {
      await run(destroy, [digests]);
    },
  };
}
