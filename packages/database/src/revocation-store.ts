import type { RevocationStore } from '@vestibule/tokens';
import { type CutoffKind, cutoffStatement } from './revocation-cutoff.js';
import type { RunStatement, Statement } from './statement.js';

/** The statements of the store. Each may be repeated: it leads to the same state. */
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
      )
      DELETE FROM access_token WHERE authorization_id IN (SELECT authorization_id FROM gone)`,
    // Once the refresh token is gone, nothing leads to the access tokens; but then they are gone with it.
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
    text: `WITH cutoff AS (${cutoffOf('client')}),
      access AS (DELETE FROM access_token WHERE client_id = $1),
      refresh AS (DELETE FROM refresh_token WHERE client_id = $1)
      DELETE FROM "authorization" WHERE client_id = $1`,
    repeatable: true,
  },
  revokeSubject: {
    name: 'revoke-subject',
    text: `WITH cutoff AS (${cutoffOf('subject')}),
      access AS (DELETE FROM access_token WHERE subject = $1),
      refresh AS (DELETE FROM refresh_token WHERE subject = $1)
      DELETE FROM "authorization" WHERE subject = $1`,
    repeatable: true,
  },
  // Tokens name a session by the provider's identifier or by the one that their client knows; all of them are meant.
  revokeSession: {
    name: 'revoke-session',
    text: `WITH named AS (
        SELECT $1::text AS value
        UNION SELECT session_id FROM session_client WHERE sid = $1
      ), every AS (
        SELECT value FROM named
        UNION SELECT sid FROM session_client WHERE session_id IN (SELECT value FROM named)
      ), cutoff AS (
        ${cutoffStatement({ kind: 'session', values: 'SELECT value FROM every', second: '$2' })}
      ), access AS (
        DELETE FROM access_token WHERE session_id IN (SELECT value FROM every)
      )
      DELETE FROM refresh_token WHERE session_id IN (SELECT value FROM every)`,
    repeatable: true,
  },
  revokeIssuer: { name: 'revoke-issuer', text: cutoffOf('issuer'), repeatable: true },
  isRevoked: {
    name: 'is-revoked',
    text: `SELECT
        EXISTS (SELECT FROM revoked_token WHERE issuer = $1 AND jti = $2)
        OR EXISTS (${coveredBy('issuer', 1)})
        OR EXISTS (${coveredBy('client', 3)})
        OR EXISTS (${coveredBy('subject', 4)})
        OR EXISTS (${coveredBy('session', 5)}) AS revoked`,
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

/** Revocations in Postgres. */
export function revocationStore(run: RunStatement): RevocationStore {
  const effect = async (statement: Statement, values: readonly unknown[]) => {
    await run(statement, values);
  };
  return {
    revokeAccessToken: (candidates) => effect(REVOCATION_STATEMENTS.revokeAccessToken, [candidates]),
    revokeRefreshToken: (candidates) => effect(REVOCATION_STATEMENTS.revokeRefreshToken, [candidates]),
    revokeSelfContained: (issuer, jti, expiresAt, now) =>
      effect(REVOCATION_STATEMENTS.revokeSelfContained, [issuer, jti, expiresAt, now]),
    revokeClient: (clientId, now) => effect(REVOCATION_STATEMENTS.revokeClient, [clientId, now]),
    revokeSubject: (subject, now) => effect(REVOCATION_STATEMENTS.revokeSubject, [subject, now]),
    revokeSession: (sid, now) => effect(REVOCATION_STATEMENTS.revokeSession, [sid, now]),
    revokeIssuer: (issuer, cutoff) => effect(REVOCATION_STATEMENTS.revokeIssuer, [issuer, cutoff]),
    isRevoked: async ({ issuer, jti, clientId, subject, sessionId, issuedAt }) => {
      const values = [issuer, jti, clientId, subject, sessionId, issuedAt];
      const { rows } = await run<{ revoked: boolean }>(REVOCATION_STATEMENTS.isRevoked, values);
      // Only a plain no of the database lets a token live.
      return rows[0]?.revoked !== false;
    },
  };
}

function cutoffOf(kind: CutoffKind): string {
  return cutoffStatement({ kind, values: 'SELECT $1::text AS value', second: '$2' });
}

/** A token is covered up to and including the second of the cutoff; both are whole seconds. */
function coveredBy(kind: CutoffKind, value: number): string {
  return `SELECT FROM revocation_cutoff
    WHERE kind = '${kind}' AND value = $${value} AND cutoff >= to_timestamp($6)`;
}
