import { DATA_KEY_SETTLE_MS } from '@vestibule/crypto/data-keys';
import type { ClientId } from '@vestibule/protocol';
import type { RevocationStore } from '@vestibule/tokens/revocation';
import { instant, member } from './column-values.js';
import { endArtifacts } from './provider/end-artifacts.js';
import { type CutoffKind, cutoffStatement, revokeTokens } from './revocation-cutoff.js';
import type { RunStatement, Statement } from './statement.js';

/** Longer than two processes may store under different digest keys, in seconds. */
const OTHER_KEY_SECONDS = (2 * DATA_KEY_SETTLE_MS) / 1_000;

/**
 * The statements of the store. By hand, because each is one atomic statement over several tables, and introspection reads
 * the statuses. All are repeatable: they lead to the same state.
 */
export const REVOCATION_STATEMENTS = {
  revokeAccessToken: {
    name: 'revoke-access-token',
    text: 'DELETE FROM access_token WHERE digest = ANY($1::bytea[])',
    repeatable: true,
  },
  revokeRefreshToken: {
    name: 'revoke-refresh-token',
    text: `WITH gone AS (
        DELETE FROM refresh_token WHERE digest = ANY($1::bytea[]) RETURNING authorization_id
      ), ${endArtifacts({ authorizations: 'SELECT authorization_id FROM gone', second: '$2' })}, access AS (
        DELETE FROM access_token WHERE authorization_id IN (SELECT authorization_id FROM gone)
      ) SELECT FROM gone`,
    // Without the refresh token the access tokens cannot be found, but then they were deleted with it.
    repeatable: true,
  },
  // An import of any of these digests either waits for the row and finds it, or was first: then its row stays, unless the
  // token is pending. Every import looks for the digests under the current keys, `$2`; the others are for imports at this
  // time, under the keys of processes that have not read the current one, or have read a newer one.
  revokeUnknown: {
    name: 'revoke-unknown-token',
    text: `INSERT INTO imported_token AS present (digest, facts, expires_at)
      SELECT digest, '', to_timestamp(
        CASE WHEN digest = ANY($2::bytea[]) THEN $3::float8 ELSE LEAST($3, $4::float8 + ${OTHER_KEY_SECONDS}) END)
      FROM unnest($1::bytea[]) AS digest
      WHERE NOT EXISTS (
        SELECT FROM imported_token WHERE digest = ANY($1::bytea[]) AND facts <> '' AND NOT is_pending
      )
      ORDER BY digest ON CONFLICT (digest) DO UPDATE SET
        is_pending = false, expires_at = GREATEST(present.expires_at, EXCLUDED.expires_at)
      WHERE present.facts = '' OR present.is_pending`,
    repeatable: true,
  },
  refreshTokenOwner: {
    name: 'refresh-token-owner',
    text: 'SELECT client_id AS "clientId" FROM refresh_token WHERE digest = ANY($1::bytea[]) LIMIT 1',
    repeatable: true,
  },
  revokeSelfContained: {
    name: 'revoke-self-contained',
    text: `INSERT INTO revoked_token AS present (issuer, jti, expires_at, revoked_at)
      VALUES ($1, $2, to_timestamp($3), to_timestamp($4))
      ON CONFLICT (issuer, jti) DO UPDATE SET expires_at = GREATEST(present.expires_at, EXCLUDED.expires_at)`,
    repeatable: true,
  },
  revokeClient: {
    name: 'revoke-client',
    text: `WITH cutoff AS (${revocationOf('client')} RETURNING value)
      DELETE FROM "authorization" WHERE client_id = ANY(ARRAY(SELECT value FROM cutoff))`,
    repeatable: true,
  },
  // Self-contained tokens may contain a pairwise subject, which the cut-off does not cover.
  revokeSubject: {
    name: 'revoke-subject',
    text: `WITH cutoff AS (${revocationOf('subject')} RETURNING value),
      gone AS (
        DELETE FROM "authorization" WHERE subject = ANY(ARRAY(SELECT value FROM cutoff)) RETURNING id
      ),
      ${endArtifacts({ authorizations: 'SELECT id FROM gone', second: '$2' })}
      SELECT id FROM gone`,
    repeatable: true,
  },
  endLateArtifacts: {
    name: 'end-late-artifacts',
    text: `WITH ${endArtifacts({ authorizations: 'SELECT unnest($1::text[])', second: '$2' })} SELECT`,
    repeatable: true,
  },
  // Tokens contain the provider's identifier of a session or the `sid` of their client; all of them are revoked.
  revokeSession: {
    name: 'revoke-session',
    text: `WITH named AS (
        SELECT $1::text AS value
        UNION SELECT session_id FROM session_client WHERE sid = $1
      )
      ${cutoffStatement({
        kind: 'session',
        values: revokeTokens({ kind: 'session', names: 'ARRAY(SELECT value FROM named)' }),
        second: '$2',
      })}`,
    repeatable: true,
  },
  revokeIssuer: {
    name: 'revoke-issuer',
    text: cutoffStatement({ kind: 'issuer', values: 'SELECT $1::text AS value', second: '$2' }),
    repeatable: true,
  },
  // A client that does not exist or is not active has no tokens.
  statuses: {
    name: 'token-statuses',
    text: `SELECT
        owner.id IS NULL
        OR EXISTS (SELECT FROM revoked_token WHERE issuer = token.issuer AND jti = token.jti)
        OR EXISTS (${coveredBy('issuer', 'issuer')})
        OR EXISTS (${coveredBy('client', 'client_id')})
        OR EXISTS (${coveredBy('subject', 'subject')})
        OR EXISTS (${coveredBy('session', 'session_id')}) AS is_revoked,
        extract(epoch FROM owner.expires_at)::float8 AS client_expires_at
      FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::float8[]) WITH ORDINALITY
        AS token (issuer, jti, client_id, subject, session_id, earliest_issued_at, place)
      LEFT JOIN client AS owner ON owner.id = token.client_id AND owner.status = 'active'
      ORDER BY place`,
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

/** An authorization that was deleted. */
interface GoneRow {
  readonly id: string;
}

interface StatusRow {
  readonly is_revoked: boolean;
  readonly client_expires_at: number | null;
}

/** Creates the revocation store in Postgres. */
export function revocationStore(run: RunStatement): RevocationStore {
  const effect = async (statement: Statement, values: readonly unknown[]) => {
    await run(statement, values);
  };
  return {
    revokeAccessToken: async (digests) =>
      (await run(REVOCATION_STATEMENTS.revokeAccessToken, [digests])).rowCount > 0,
    revokeRefreshToken: async (digests, now) =>
      (await run(REVOCATION_STATEMENTS.revokeRefreshToken, [digests, now])).rowCount > 0,
    revokeUnknown: async ({ digests, expiresAt }, now) => {
      const [all, current] = [digests.flat(), digests.map(([digest]) => digest)];
      const { rowCount } = await run(REVOCATION_STATEMENTS.revokeUnknown, [all, current, expiresAt, now]);
      return rowCount === all.length;
    },
    refreshTokenOwner: async (digests) =>
      (await run<{ clientId: ClientId }>(REVOCATION_STATEMENTS.refreshTokenOwner, [digests])).rows[0]
        ?.clientId,
    revokeSelfContained: (issuer, jti, expiresAt, now) =>
      effect(REVOCATION_STATEMENTS.revokeSelfContained, [issuer, jti, expiresAt, now]),
    revokeClient: (clientId, now) => effect(REVOCATION_STATEMENTS.revokeClient, [clientId, now]),
    revokeSubject: async (subject, now) => {
      const { rows } = await run<GoneRow>(REVOCATION_STATEMENTS.revokeSubject, [subject, now]);
      if (rows.length === 0) return;
      // The first statement may have waited for tokens that were being issued, which its snapshot does not contain.
      await run(REVOCATION_STATEMENTS.endLateArtifacts, [rows.map(({ id }) => id), now]);
    },
    revokeSession: (sid, now) => effect(REVOCATION_STATEMENTS.revokeSession, [sid, now]),
    revokeIssuer: (issuer, cutoff) => effect(REVOCATION_STATEMENTS.revokeIssuer, [issuer, cutoff]),
    statuses: async (tokens) => {
      const { rows } = await run<StatusRow>(REVOCATION_STATEMENTS.statuses, [
        tokens.map(({ issuer }) => issuer),
        tokens.map(({ jti }) => jti),
        tokens.map(({ clientId }) => clientId),
        tokens.map(({ subject }) => subject ?? null),
        tokens.map(({ sessionId }) => sessionId ?? null),
        tokens.map(({ earliestIssuedAt }) => earliestIssuedAt),
      ]);
      return rows.map(({ is_revoked, client_expires_at }) => ({
        // The token is live only if the database explicitly says that it is not revoked.
        isRevoked: is_revoked !== false,
        ...member('clientExpiresAt', instant(client_expires_at)),
      }));
    },
  };
}

/** Builds the statement that deletes the tokens with the name `$1`, and stores its cut-off. */
function revocationOf(kind: 'client' | 'subject'): string {
  return cutoffStatement({ kind, values: revokeTokens({ kind, names: 'ARRAY[$1::text]' }), second: '$2' });
}

/** Builds the condition for tokens up to and including the second of a cut-off; both are whole seconds. */
function coveredBy(kind: CutoffKind, column: string): string {
  return `SELECT FROM revocation_cutoff
    WHERE kind = '${kind}' AND value = token.${column} AND cutoff >= to_timestamp(token.earliest_issued_at)`;
}
