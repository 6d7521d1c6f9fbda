import { expect, it } from 'vitest';
import { aClient, anId, twoProcesses } from './testing/fixtures.js';
import { query } from './testing/test-database.js';

it('counts what belongs to a client, and nothing of other clients', async () => {
  const { url, one } = await twoProcesses();
  for (const id of ['client', 'other']) await one.clients.create(aClient({ id: anId(id) }));
  await query(
    url,
    `INSERT INTO access_token (digest, client_id, scope, audience, issuer, issued_at, expires_at)
      SELECT sha256(n::text::bytea), CASE WHEN n <= 3 THEN 'client' ELSE 'other' END, '', '{}', '', now(), now()
      FROM generate_series(1, 5) n;
    INSERT INTO refresh_token (digest, client_id, scope, issued_at, expires_at)
      SELECT sha256(n::text::bytea), 'client', '', now(), now() FROM generate_series(1, 4) n;
    INSERT INTO "authorization" (id, client_id, subject, payload, created_at)
      SELECT n::text, 'client', 'alice', '{}', now() FROM generate_series(1, 2) n;
    INSERT INTO session (id, cookie_digest, created_at, expires_at) VALUES ('s', sha256('s'), now(), now());
    INSERT INTO session_client (session_id, client_id, sid) VALUES ('s', 'client', 'sid'), ('s', 'other', 'sid 2');
    INSERT INTO logout_delivery (client_id, uri, state, next_attempt_at, created_at)
      SELECT 'client', 'https://rp.example/out', state, now(), now()
      FROM unnest(enum_range(NULL::logout_delivery_state)) state`,
  );
  expect(await one.clientHoldings(anId('client'))).toEqual({
    accessTokens: 3,
    refreshTokens: 4,
    authorizations: 2,
    sessions: 1,
    waitingDeliveries: 1,
  });
  expect(await one.clientHoldings(anId('nobody'))).toEqual({
    accessTokens: 0,
    refreshTokens: 0,
    authorizations: 0,
    sessions: 0,
    waitingDeliveries: 0,
  });
});

it('stops counting at a bound', async () => {
  const { url, one } = await twoProcesses();
  await one.clients.create(aClient());
  await query(
    url,
    `INSERT INTO "authorization" (id, client_id, subject, payload, created_at)
      SELECT n::text, 'client', 's' || n, '{}', now() FROM generate_series(1, 10010) n`,
  );
  expect(await one.clientHoldings(anId('client'))).toMatchObject({ authorizations: 10_000 });
});
