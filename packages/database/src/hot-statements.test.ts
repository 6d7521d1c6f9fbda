import { expect, it } from 'vitest';
import { EVERY_STATEMENT, INDEXED_STATEMENTS } from './every-statement.js';
import { aMigratedDatabase, query } from './testing/test-database.js';

/** Enough rows that a sequential scan is the worse plan. */
const ROWS = `
  INSERT INTO client (id, metadata, rights, issued_at, updated_at)
    SELECT 'c' || n, '{}', '', to_timestamp(n), now() FROM generate_series(1, 5000) n;
  INSERT INTO client_metadata_document (url, history)
    SELECT 'https://app.example/' || n, '[]' FROM generate_series(1, 5000) n;
  INSERT INTO client_resource_identifier (identifier, client_id)
    SELECT 'https://api' || n, 'c' || n FROM generate_series(1, 5000) n;
  INSERT INTO initial_access_token (digest, scope, audience, issued_at, expires_at, uses_left)
    SELECT sha256(n::text::bytea), '', '{}', now(), now(), 1 FROM generate_series(1, 5000) n;
  INSERT INTO initial_access_token_use (token_digest, client_id, used_at)
    SELECT sha256(n::text::bytea), 'c' || n, now() FROM generate_series(1, 5000) n;
  INSERT INTO remembered_answer (digest, sealed, expires_at)
    SELECT sha256(n::text::bytea), 'x', now() FROM generate_series(1, 5000) n;
  INSERT INTO "authorization" (id, client_id, subject, payload, created_at)
    SELECT 'a' || n, 'c' || n, 's' || n, '{}', now() FROM generate_series(1, 5000) n;
  INSERT INTO access_token
    (digest, client_id, subject, session_id, authorization_id, scope, audience, issuer, issued_at, expires_at)
    SELECT sha256(n::text::bytea), 'c' || n, 's' || n, 'o' || n, 'a' || n, '', '{}', '', now(), now()
    FROM generate_series(1, 5000) n;
  INSERT INTO refresh_token (digest, client_id, subject, session_id, authorization_id, scope, issued_at, expires_at)
    SELECT sha256(n::text::bytea), 'c' || n, 's' || n, 'o' || n, 'a' || n, '', now(), now()
    FROM generate_series(1, 5000) n;
  INSERT INTO imported_token (digest, facts, expires_at)
    SELECT sha256(n::text::bytea), sha256('x'), now() FROM generate_series(1, 5000) n;
  INSERT INTO session (id, cookie_digest, created_at, expires_at)
    SELECT 'o' || n, sha256(n::text::bytea), now(), now() FROM generate_series(1, 5000) n;
  INSERT INTO session_client (session_id, client_id, sid)
    SELECT 'o' || n, 'c' || n, 'sid' || n FROM generate_series(1, 5000) n;
  INSERT INTO logout_delivery (client_id, uri, state, next_attempt_at, created_at, finished_at)
    SELECT 'c' || n, 'https://rp' || n || '.example/out', state, now(), now(), now()
    FROM generate_series(1, 5000) n, unnest(enum_range(NULL::logout_delivery_state)) state;
  INSERT INTO artifact (kind, digest, payload, uid, user_code, authorization_id)
    SELECT 'Code', sha256(n::text::bytea), '{}', n::text, n::text, 'a' || n FROM generate_series(1, 5000) n;
  INSERT INTO revoked_token (issuer, jti, revoked_at, expires_at)
    SELECT 'i', n::text, now(), now() FROM generate_series(1, 5000) n;
  INSERT INTO revocation_cutoff (kind, value, cutoff, expires_at)
    SELECT kind, n::text, now(), now()
    FROM generate_series(1, 5000) n, unnest(enum_range(NULL::revocation_cutoff_kind)) kind;
  INSERT INTO earlier_client_secret (client_id, digest, sealed, kept_until)
    SELECT 'c' || n, sha256('x'), 'x', now() FROM generate_series(1, 5000) n;
  INSERT INTO signing_key (kid, key_set, use, algorithm, state, public_jwk, private_jwk_sealed, created_at)
    SELECT n::text, 'provider', 'sig', 'ES256', 'retired', '{}', '', now() FROM generate_series(1, 5000) n;
  INSERT INTO change ("type", reason, members)
    SELECT 'client.ended', 'deleted', '{}' FROM generate_series(1, 5000) n;
  INSERT INTO audit_event (occurred_at, actor, action, target, position, hash)
    SELECT now(), 'service', 'test', 'row', n, sha256('x') FROM generate_series(1, 5000) n;
  ANALYZE`;

// Otherwise the cost of an introspection would grow with the number of tokens.
it('uses no sequential scan in any statement', async () => {
  const url = await aMigratedDatabase();
  await query(url, ROWS);
  for (const { name, text } of INDEXED_STATEMENTS) {
    const plan = await query<{ 'QUERY PLAN': string }>(url, `EXPLAIN (GENERIC_PLAN) ${text}`);
    const scans = plan.map((line) => line['QUERY PLAN']).filter((line) => line.includes('Seq Scan'));
    expect(scans, name).toEqual([]);
  }
});

it('gives every statement a unique name', () => {
  const names = EVERY_STATEMENT.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
