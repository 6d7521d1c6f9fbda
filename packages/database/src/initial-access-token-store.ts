import type { InitialAccessToken, InitialAccessTokenStore } from '@vestibule/clients/registration';
import { systemClock } from '@vestibule/protocol';
import { formatScope, parseScope, type Scope } from '@vestibule/scopes';
import type { Author } from './audit/author.js';
import { DEFAULT_ACTOR, initialTokenIdentity, recordEvent } from './audit/record-event.js';
import {
  type ColumnsOf,
  columnNames,
  parameters,
  placeholders,
  type RowOf,
  selectList,
  storedMembers,
} from './columns.js';
import type { InitialAccessToken as TokenModel } from './generated/client.js';
import type { RunStatement, Statement } from './statement.js';

const TOKEN_COLUMNS = {
  digest: 'bytea',
  scope: 'text',
  audience: 'text[]',
  issuedAt: 'time',
  expiresAt: 'time',
  usesLeft: 'integer',
  label: 'text',
  metadataTemplate: 'jsonb',
  confirmation: 'jsonb',
} as const satisfies ColumnsOf<TokenModel>;

type InitialAccessTokenRow = RowOf<TokenModel, typeof TOKEN_COLUMNS, InitialAccessToken>;

const AFTER_ALL = Object.keys(TOKEN_COLUMNS).length + 1;

/**
 * The statements of the store. By hand, because registrations find their token with them, and the changes are atomic
 * statements with their audit events.
 */
export const INITIAL_ACCESS_TOKEN_STATEMENTS = {
  find: {
    name: 'initial-access-token-find',
    text: `SELECT ${selectList(TOKEN_COLUMNS)} FROM initial_access_token
      WHERE digest = ANY($1::bytea[]) LIMIT 1`,
    repeatable: true,
  },
  insert: {
    name: 'initial-access-token-insert',
    text: `WITH issued AS (
        INSERT INTO initial_access_token (${columnNames(TOKEN_COLUMNS)})
        VALUES (${placeholders(TOKEN_COLUMNS)})
        RETURNING digest, issued_at, scope, uses_left, expires_at, label
      ) ${recordEvent({
        from: 'issued',
        occurredAt: 'issued.issued_at',
        actor: `$${AFTER_ALL}::text`,
        action: `'initial_access_token.issued'`,
        target: initialTokenIdentity('issued.digest'),
        details: `jsonb_strip_nulls(jsonb_build_object('scope', scope, 'uses', uses_left,
          'expires_at', extract(epoch FROM expires_at)::bigint, 'label', label))`,
      })}`,
    repeatable: false,
  },
  delete: {
    name: 'initial-access-token-delete',
    text: `WITH revoked AS (
        DELETE FROM initial_access_token WHERE digest = ANY($1::bytea[]) RETURNING digest
      ) ${recordEvent({
        from: 'revoked',
        occurredAt: 'to_timestamp($3)',
        actor: '$2::text',
        action: `'initial_access_token.revoked'`,
        target: initialTokenIdentity('revoked.digest'),
      })}`,
    repeatable: false,
  },
} as const satisfies Record<string, Statement>;

const SERVICE: Author = { actor: DEFAULT_ACTOR, clock: systemClock };

/** Creates the store of initial access tokens in Postgres. Issuing and revoking are audited in the same statements. */
export function initialAccessTokenStore(
  run: RunStatement,
  { actor, clock }: Author = SERVICE,
): InitialAccessTokenStore {
  return {
    find: async (digests) => {
      const { rows } = await run<InitialAccessTokenRow>(INITIAL_ACCESS_TOKEN_STATEMENTS.find, [digests]);
      return rows[0] && tokenFromRow(rows[0]);
    },
    insert: async (token) => {
      const values = parameters(TOKEN_COLUMNS, { ...token, scope: formatScope(token.scope) });
      await run(INITIAL_ACCESS_TOKEN_STATEMENTS.insert, [...values, actor]);
    },
    delete: async (digests) => {
      const values = [digests, actor, clock.nowMs() / 1000];
      const { rowCount } = await run(INITIAL_ACCESS_TOKEN_STATEMENTS.delete, values);
      return rowCount > 0;
    },
  };
}

function tokenFromRow(row: InitialAccessTokenRow): InitialAccessToken {
  return { ...storedMembers(TOKEN_COLUMNS, row), scope: scopeFromColumn(row.scope) };
}

function scopeFromColumn(text: string): Scope {
  const scope = parseScope(text);
  if (scope === undefined) throw new TypeError('the stored scope of an initial access token is invalid');
  return scope;
}
