import type { ProviderRecords } from '@vestibule/tokens/provider';
import { ignoreForeignKeyViolation } from '../database-errors.js';
import { recordClientUse } from '../record-client-use.js';
import type { RunStatement, Statement } from '../statement.js';
import { endArtifacts, JWT_KIND } from './end-artifacts.js';
import { recordFromRow, type StoredRow } from './stored-row.js';

/** Revokes everything that was issued under the authorization `$1`. */
const REVOKE_TOKENS = `${endArtifacts({ authorizations: 'SELECT $1::text', second: '$2' })}, access AS (
    DELETE FROM access_token WHERE authorization_id = $1
  ), refresh AS (
    DELETE FROM refresh_token WHERE authorization_id = $1
  )`;

/**
 * The statements for authorizations. By hand, because each request for a token reads one, and the others are atomic
 * statements over several tables.
 */
export const AUTHORIZATION_RECORD_STATEMENTS = {
  save: {
    name: 'provider-authorization-save',
    text: `WITH ${recordClientUse({ clients: 'SELECT $2::text', now: '$5::float8' })}
      INSERT INTO "authorization" (id, client_id, subject, payload, created_at, expires_at)
      VALUES ($1, $2, $3, $4, to_timestamp($5), to_timestamp($6))
      ON CONFLICT (id) DO UPDATE SET payload = EXCLUDED.payload, expires_at = EXCLUDED.expires_at`,
    repeatable: true,
  },
  find: {
    name: 'provider-authorization-find',
    text: `SELECT payload, NULL AS "consumedAt" FROM "authorization"
      WHERE id = $1 AND (expires_at IS NULL OR expires_at > to_timestamp($2))`,
    repeatable: true,
  },
  revokeTokens: {
    name: 'provider-authorization-revoke-tokens',
    text: `WITH ${REVOKE_TOKENS} SELECT`,
    repeatable: true,
  },
  destroy: {
    name: 'provider-authorization-destroy',
    text: `WITH ${REVOKE_TOKENS} DELETE FROM "authorization" WHERE id = $1`,
    repeatable: true,
  },
  // A statement that ends the authorization waits for the lock and sees the token, or was first: then nothing is
  // stored.
  addJwt: {
    name: 'provider-authorization-add-jwt',
    text: `WITH alive AS (
        SELECT id, client_id FROM "authorization" WHERE id = $3 FOR KEY SHARE
      ), ${recordClientUse({ clients: 'SELECT client_id FROM alive', now: '$6::float8' })}, kept AS (
        INSERT INTO artifact (kind, digest, payload, authorization_id, expires_at)
        SELECT '${JWT_KIND}', $4, jsonb_build_object('iss', $1::text, 'jti', $2::text), id, to_timestamp($5)
        FROM alive ON CONFLICT (kind, digest) DO NOTHING
      )
      INSERT INTO revoked_token (issuer, jti, expires_at, revoked_at)
      SELECT $1, $2, to_timestamp($5), to_timestamp($6) WHERE NOT EXISTS (SELECT FROM alive)
      ON CONFLICT (issuer, jti) DO NOTHING`,
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

/** Creates the store of authorizations in Postgres. */
export function authorizationRecords(run: RunStatement): ProviderRecords['authorizations'] {
  const { save, find, revokeTokens, destroy, addJwt } = AUTHORIZATION_RECORD_STATEMENTS;
  return {
    save: async ({ id, clientId, subject, payload, expiresAt }, now) => {
      await ignoreForeignKeyViolation(run(save, [id, clientId, subject, payload, now, expiresAt]));
    },
    find: async (id, now) => recordFromRow((await run<StoredRow>(find, [id, now])).rows[0]),
    revokeTokens: async (id, now) => {
      await run(revokeTokens, [id, now]);
    },
    destroy: async (id, now) => {
      await run(destroy, [id, now]);
      // The first statement may have waited for a token that was being issued, which its snapshot does not contain.
      await run(revokeTokens, [id, now]);
    },
    addJwt: async ({ issuer, jti, authorizationId, digest, expiresAt }, now) => {
      await run(addJwt, [issuer, jti, authorizationId, digest, expiresAt, now]);
    },
  };
}
