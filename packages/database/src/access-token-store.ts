import type { AccessToken, AccessTokenStore } from '@vestibule/tokens';
import { TOKEN_COLUMNS } from './access-token-columns.js';
import { reasonSetting } from './changes/because.js';
import { digestOf, instant } from './column-values.js';
import { columnNames, parameters, placeholders, type RowOf, selectList } from './columns.js';
import { isForeignKeyViolation } from './database-errors.js';
import type { AccessToken as AccessTokenModel } from './generated/client.js';
import { recordClientUse, useOfToken } from './record-client-use.js';
import { whileSessionOfToken } from './revocation-cutoff.js';
import type { RunStatement, Statement } from './statement.js';

/** A row of the table without its digest. */
export type AccessTokenRow = RowOf<AccessTokenModel, typeof TOKEN_COLUMNS, AccessToken>;

interface FoundTokenRow extends AccessTokenRow {
  readonly digest: Uint8Array;
  readonly clientExpiresAt: number | null;
}

/** Active clients, without the columns that tokens have too. */
const ACTIVE_CLIENTS = `(
  SELECT id, extract(epoch FROM expires_at)::float8 AS "clientExpiresAt" FROM client WHERE status = 'active'
) AS owner`;

const FIND = `SELECT digest, ${selectList(TOKEN_COLUMNS)}, "clientExpiresAt"
  FROM access_token JOIN ${ACTIVE_CLIENTS} ON owner.id = client_id
  WHERE digest = ANY($1::bytea[])`;

const AFTER_ALL = Object.keys(TOKEN_COLUMNS).length + 1;

/** The statements of the store. By hand, because tokens are issued, introspected and claimed with them. */
export const ACCESS_TOKEN_STATEMENTS = {
  insert: {
    name: 'access-token-insert',
    text: `WITH ${recordClientUse(useOfToken(TOKEN_COLUMNS))}
      INSERT INTO access_token (${columnNames(TOKEN_COLUMNS)}, digest)
      SELECT ${placeholders(TOKEN_COLUMNS)}, $${AFTER_ALL}::bytea WHERE ${whileSessionOfToken(TOKEN_COLUMNS)}`,
    repeatable: false,
  },
  find: {
    name: 'access-token-find',
    text: `${FIND} LIMIT 1`,
    repeatable: true,
  },
  findMany: {
    name: 'access-token-find-many',
    text: FIND,
    repeatable: true,
  },
  // A token is inactive from the second of its own expiry on, or that of its client.
  claim: {
    name: 'access-token-claim',
    text: `DELETE FROM access_token USING ${ACTIVE_CLIENTS}
      WHERE digest = ANY($1::bytea[])
        AND owner.id = client_id
        AND ("clientExpiresAt" IS NULL OR "clientExpiresAt" > $3)
        AND expires_at > to_timestamp($3)
        AND (not_before IS NULL OR not_before <= to_timestamp($3))
        AND (audience = '{}' OR audience && $2::text[])
      RETURNING ${selectList(TOKEN_COLUMNS)}, ${reasonSetting('used')}`,
    repeatable: false,
  },
} as const satisfies Record<string, Statement>;

/**
 * Creates the store of identifier-based access tokens in Postgres. A token whose client or authorization no longer
 * exists, or whose session has ended, is not added.
 */
export function accessTokenStore(run: RunStatement): AccessTokenStore {
  return {
    insert: async (digest, token) => {
      const values = [...parameters(TOKEN_COLUMNS, token), digest];
      try {
        return (await run(ACCESS_TOKEN_STATEMENTS.insert, values)).rowCount > 0;
      } catch (error) {
        if (isForeignKeyViolation(error)) return false;
        throw error;
      }
    },
    find: async (digests) => {
      const { rows } = await run<FoundTokenRow>(ACCESS_TOKEN_STATEMENTS.find, [digests]);
      return rows[0] && foundTokenFromRow(rows[0]);
    },
    findMany: async (digests) => {
      const { rows } = await run<FoundTokenRow>(ACCESS_TOKEN_STATEMENTS.findMany, [digests]);
      return rows.map((row) => ({ digest: digestOf(row.digest), token: foundTokenFromRow(row) }));
    },
    claim: async (digests, caller, now) => {
      const { rows } = await run<AccessTokenRow>(ACCESS_TOKEN_STATEMENTS.claim, [digests, caller, now]);
      return rows[0] && tokenFromRow(rows[0]);
    },
  };
}

function foundTokenFromRow(row: FoundTokenRow): AccessToken {
  const token = tokenFromRow(row);
  if (row.clientExpiresAt !== null) token.clientExpiresAt = instant(row.clientExpiresAt);
  return token;
}

type Writable<Type> = { -readonly [Member in keyof Type]: Type[Member] };

/** Assigns members one by one, because this runs for every token that is read for the first time. */
export function tokenFromRow(row: AccessTokenRow): Writable<AccessToken> {
  const token: Writable<AccessToken> = {
    clientId: row.clientId,
    scope: row.scope,
    audience: row.audience,
    issuer: row.issuer,
    issuedAt: instant(row.issuedAt),
    expiresAt: instant(row.expiresAt),
  };
  if (row.notBefore !== null) token.notBefore = instant(row.notBefore);
  if (row.subject !== null) token.subject = row.subject;
  if (row.username !== null) token.username = row.username;
  if (row.jti !== null) token.jti = row.jti;
  if (row.confirmation !== null) token.confirmation = row.confirmation;
  if (row.actor !== null) token.actor = row.actor;
  if (row.data !== null) token.data = row.data;
  if (row.claims !== null) token.claims = row.claims;
  if (row.authorizationId !== null) token.authorizationId = row.authorizationId;
  if (row.sessionId !== null) token.sessionId = row.sessionId;
  return token;
}
