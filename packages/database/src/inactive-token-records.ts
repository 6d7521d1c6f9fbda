import type { Digest } from '@vestibule/crypto/data-keys';
import type { AccessToken } from '@vestibule/tokens';
import type { InactiveCause, InactiveTokenRecords } from '@vestibule/tokens/introspection';
import { TOKEN_COLUMNS } from './access-token-columns.js';
import { type AccessTokenRow, tokenFromRow } from './access-token-store.js';
import { instant, member } from './column-values.js';
import { selectList } from './columns.js';
import type { RunStatement, Statement } from './statement.js';

/**
 * The statements that find out why a token is not active. By hand, because each asks several tables at once. They are apart
 * from those of introspection, which read no more than they need.
 */
export const INACTIVE_TOKEN_STATEMENTS = {
  // A token that is left out because of its client. As a subquery, because the planner would search all other clients first.
  leftOut: {
    name: 'inactive-token-left-out',
    text: `SELECT ${selectList(TOKEN_COLUMNS)},
        (SELECT status::text FROM client WHERE client.id = access_token.client_id) AS "clientStatus"
      FROM access_token WHERE digest = ANY($1::bytea[]) LIMIT 1`,
    repeatable: true,
  },
  // `$1` to `$3` are its digests as an access token, a refresh token and an initial access token, `$4` is the time, and `$5`
  // its names in audit events.
  traces: {
    name: 'inactive-token-traces',
    text: `SELECT 'refresh_token' AS kind, NULL::float8 AS at, NULL::text AS actor
      FROM refresh_token WHERE digest = ANY($2::bytea[])
      UNION ALL
      SELECT CASE WHEN uses_left <= 0 THEN 'initial_token_used_up'
          WHEN expires_at <= to_timestamp($4) THEN 'initial_token_expired' ELSE 'initial_token' END, NULL, NULL
      FROM initial_access_token WHERE digest = ANY($3::bytea[])
      UNION ALL
      SELECT CASE WHEN facts = '' THEN 'revoked_before_import'
          WHEN expires_at <= to_timestamp($4) THEN 'imported_expired' ELSE 'imported_ended' END, NULL, NULL
      FROM imported_token WHERE digest = ANY($1::bytea[] || $2::bytea[]) AND NOT is_pending
        AND NOT EXISTS (SELECT FROM access_token WHERE digest = ANY($1::bytea[]))
        AND NOT EXISTS (SELECT FROM refresh_token WHERE digest = ANY($2::bytea[]))
      UNION ALL
      SELECT 'token_revoked', extract(epoch FROM occurred_at)::float8, actor
      FROM audit_event WHERE target = ANY($5::text[]) AND action = 'token.revoked'`,
    repeatable: true,
  },
  ofSelfContained: {
    name: 'inactive-token-of-self-contained',
    text: `SELECT 'client_' || status::text AS kind, NULL::float8 AS at, NULL::text AS actor
      FROM client WHERE id = $3::text AND status <> 'active'
      UNION ALL
      SELECT 'client_unknown', NULL, NULL WHERE NOT EXISTS (SELECT FROM client WHERE id = $3::text)
      UNION ALL
      SELECT 'token_revoked', extract(epoch FROM revoked_at)::float8,
        (SELECT actor FROM audit_event WHERE target = 'access_token:' || $2::text AND action = 'token.revoked'
          ORDER BY occurred_at, id LIMIT 1)
      FROM revoked_token WHERE issuer = $1::text AND jti = $2::text
      UNION ALL
      SELECT CASE WHEN is_final THEN 'session_ended' ELSE kind::text || '_revoked' END,
        extract(epoch FROM cutoff)::float8, NULL
      FROM revocation_cutoff
      WHERE cutoff >= to_timestamp($6) AND (kind, value) IN
        (('issuer', $1::text), ('client', $3::text), ('subject', $4::text), ('session', $5::text))`,
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

interface LeftOutRow extends AccessTokenRow {
  readonly clientStatus: 'active' | 'pending' | 'suspended';
}

interface CauseRow {
  readonly kind: InactiveCause['kind'];
  readonly at: number | null;
  readonly actor: string | null;
}

/** Creates the reader in Postgres. */
export function inactiveTokenRecords(run: RunStatement): InactiveTokenRecords {
  const { leftOut, traces, ofSelfContained } = INACTIVE_TOKEN_STATEMENTS;
  return {
    ofIdentifier: async ({ access, refresh, initial }, now) => {
      const names = [...eventTargets('access_token', access), ...eventTargets('refresh_token', refresh)];
      const [{ rows: tokens }, { rows: causes }] = await Promise.all([
        run<LeftOutRow>(leftOut, [access]),
        run<CauseRow>(traces, [access, refresh, initial, now, names]),
      ]);
      const [row] = tokens;
      // It may have become active since.
      if (row === undefined || row.clientStatus === 'active') return { causes: causes.map(causeFromRow) };
      const token: AccessToken = tokenFromRow(row);
      return { token, causes: [{ kind: `client_${row.clientStatus}` }] };
    },
    ofSelfContained: async ({ issuer, jti, clientId, subject, sessionId, earliestIssuedAt }) => {
      const values = [issuer, jti, clientId, subject ?? null, sessionId ?? null, earliestIssuedAt];
      return (await run<CauseRow>(ofSelfContained, values)).rows.map(causeFromRow);
    },
  };
}

/** The targets of audit events about a stored token: they contain the first eight hexadecimal digits of its digest. */
function eventTargets(table: string, digests: readonly Digest[]): readonly string[] {
  return digests.map((digest) => `${table}:${Buffer.from(digest.subarray(0, 4)).toString('hex')}`);
}

function causeFromRow({ kind, at, actor }: CauseRow): InactiveCause {
  return { kind, ...member('at', instant(at)), ...member('actor', actor) };
}
