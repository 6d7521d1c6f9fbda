import { type ClientId, nowSeconds } from '@vestibule/protocol';
import { readLiveToken } from '@vestibule/tokens';
import { expect, it, onTestFinished } from 'vitest';
import { buildApp, composeAuthorization } from '../../src/index.js';
import { buildTestApp, type TestApp } from '../support/build-test-app.js';
import { issued, NO_CONTENT, post } from '../support/calls.js';

/** Two tokens of each format: `one` to be revoked and `other` to stay. */
async function tokens({ app }: TestApp, one: object, other: object) {
  const pairs = await Promise.all(
    ['identifier', 'jwt'].map(async (format) => ({
      one: (await issued(app, { scope: 'read', format, ...one })).access_token,
      other: (await issued(app, { scope: 'read', format, ...other })).access_token,
    })),
  );
  return { gone: pairs.map((pair) => pair.one), kept: pairs.map((pair) => pair.other) };
}

/** Whether each of the tokens is active. */
function live({ deps, store }: TestApp, texts: readonly string[]): Promise<boolean[]> {
  const { accessTokens, revocations } = store.database;
  const reading = { ...deps, accessTokens, revocations };
  return Promise.all(texts.map(async (text) => (await readLiveToken(reading, text)) !== undefined));
}

/** Gives a client a refresh token and a grant, which other writers of the store create. */
async function refreshToken({ sql, store, deps }: TestApp, clientId: ClientId, token: string) {
  const digest = store.digester.digest('refresh-token', token);
  const times = [nowSeconds(deps.clock), nowSeconds(deps.clock) + 600];
  await sql(
    `INSERT INTO "authorization" (id, client_id, subject, payload, created_at) VALUES ($1, $2, 'alice', '{}', now())`,
    [token, clientId],
  );
  await sql(
    `INSERT INTO refresh_token (digest, client_id, subject, scope, issued_at, expires_at, authorization_id, session_id)
      VALUES ($1, $2, 'alice', 'read', to_timestamp($3), to_timestamp($4), $5, 'session-1')`,
    [Buffer.from(digest), clientId, ...times, token],
  );
}

async function counts({ sql }: TestApp) {
  const [row] = await sql(
    `SELECT (SELECT count(*)::int FROM access_token) AS access, (SELECT count(*)::int FROM refresh_token) AS refresh,
      (SELECT count(*)::int FROM "authorization") AS authorizations`,
  );
  return row;
}

// Introspection uses that time too: a cutoff by another clock would leave tokens active.
it('dates revocations by the time of the store', async () => {
  const { store, config, sql } = await buildTestApp();
  const aheadMs = 120_000;
  const clock = { ...store.clock, nowMs: () => store.clock.nowMs() + aheadMs };
  const app = buildApp(composeAuthorization(config, { ...store, clock }), { logger: false });
  onTestFinished(() => app.close());
  expect(await post(app, '/direct-authz/revoke', { sub: 'alice' })).toEqual(NO_CONTENT);
  const [row] = await sql(
    `SELECT extract(epoch FROM cutoff - now()) BETWEEN 110 AND 121 AS is_ahead FROM revocation_cutoff`,
  );
  expect(row).toEqual({ is_ahead: true });
});

it('revokes one access token of either format, and no other', async () => {
  const service = await buildTestApp();
  const { client_id: id } = await service.register();
  const { gone, kept } = await tokens(service, { client_id: id }, { client_id: id });
  expect(await live(service, [...gone, ...kept])).toEqual([true, true, true, true]);
  for (const token of gone)
    expect(await post(service.app, '/direct-authz/revoke', { token })).toEqual(NO_CONTENT);
  expect(await live(service, gone)).toEqual([false, false]);
  expect(await live(service, kept)).toEqual([true, true]);
  expect(await counts(service)).toMatchObject({ access: 1 });
  expect(await service.sql('SELECT count(*)::int AS count FROM revoked_token')).toEqual([{ count: 1 }]);
});

it('revokes a refresh token with the access tokens of its grant', async () => {
  const service = await buildTestApp();
  const { client_id: id } = await service.register();
  const token = 'r'.repeat(43);
  await refreshToken(service, id, token);
  const { access_token: access } = await issued(service.app, { client_id: id, scope: 'read' });
  await issued(service.app, { client_id: id, scope: 'read' });
  await service.sql('UPDATE access_token SET authorization_id = $1 WHERE digest = $2', [
    token,
    Buffer.from(service.store.digester.digest('access-token', access)),
  ]);
  expect(await post(service.app, '/direct-authz/revoke', { token })).toEqual(NO_CONTENT);
  expect(await counts(service)).toEqual({ access: 1, refresh: 0, authorizations: 1 });
  expect(await live(service, [access])).toEqual([false]);
});

it('revokes an initial access token', async () => {
  const { app, sql } = await buildTestApp();
  const { access_token: token } = await issued(app, { scope: 'client-reg', uses: 5 });
  await issued(app, { scope: 'client-reg:data' });
  expect(await post(app, '/direct-authz/revoke', { token })).toEqual(NO_CONTENT);
  expect(await sql('SELECT scope FROM initial_access_token')).toEqual([{ scope: 'client-reg:data' }]);
});

it('revokes all tokens of a client, which stays registered', async () => {
  const service = await buildTestApp();
  const [one, other] = [await service.register(), await service.register()];
  const { gone, kept } = await tokens(service, { client_id: one.client_id }, { client_id: other.client_id });
  await refreshToken(service, one.client_id, 'one'.repeat(15));
  await refreshToken(service, other.client_id, 'two'.repeat(15));
  expect(await post(service.app, '/direct-authz/revoke', { client_id: one.client_id })).toEqual(NO_CONTENT);
  expect(await live(service, gone)).toEqual([false, false]);
  expect(await live(service, kept)).toEqual([true, true]);
  expect(await counts(service)).toEqual({ access: 1, refresh: 1, authorizations: 1 });
  service.clock.advanceSeconds(1);
  const { access_token: later } = await issued(service.app, {
    client_id: one.client_id,
    scope: 'read',
    format: 'jwt',
  });
  expect(await live(service, [later])).toEqual([true]);
});

it('revokes all tokens of an end-user, at every client', async () => {
  const service = await buildTestApp();
  const { client_id: id } = await service.register();
  const { gone, kept } = await tokens(
    service,
    { client_id: id, sub: 'alice' },
    { client_id: id, sub: 'bob' },
  );
  await refreshToken(service, id, 'r'.repeat(43));
  expect(await post(service.app, '/direct-authz/revoke', { sub: 'alice' })).toEqual(NO_CONTENT);
  expect(await live(service, gone)).toEqual([false, false]);
  expect(await live(service, kept)).toEqual([true, true]);
  expect(await counts(service)).toEqual({ access: 1, refresh: 0, authorizations: 0 });
});

it('revokes every token of a session, by either of its identifiers', async () => {
  for (const sid of ['session-1', 'sid-at-client']) {
    const service = await buildTestApp();
    const { client_id: id } = await service.register();
    await service.sql(
      `INSERT INTO session (id, subject, cookie_digest, created_at, expires_at)
        VALUES ('session-1', 'alice', sha256('cookie'), now(), now())`,
    );
    await service.sql(`INSERT INTO session_client VALUES ('session-1', $1, 'sid-at-client')`, [id]);
    const { gone, kept } = await tokens(
      service,
      { client_id: id, sid: 'session-1' },
      { client_id: id, sid: 'session-2' },
    );
    const { gone: known } = await tokens(service, { client_id: id, sid: 'sid-at-client' }, { client_id: id });
    await refreshToken(service, id, 'r'.repeat(43));
    expect(await post(service.app, '/direct-authz/revoke', { sid })).toEqual(NO_CONTENT);
    expect(await live(service, [...gone, ...known])).toEqual([false, false, false, false]);
    expect(await live(service, kept)).toEqual([true, true]);
    expect(await counts(service)).toMatchObject({ refresh: 0 });
  }
});

it('ends every session of an end-user whose tokens are revoked, and no other, and notifies its clients', async () => {
  const service = await buildTestApp();
  const { client_id: id } = await service.register({ backchannel_logout_uri: 'https://app.example/out' });
  const open = async (sub: string) => {
    const { body } = await post(service.app, '/direct-authz/sessions', { sub, client_ids: [id] });
    return JSON.parse(body) as { sid: string; clients: Record<string, { sid: string }> };
  };
  const sessions = [await open('alice'), await open('alice')];
  const bobs = await open('bob');
  expect(await post(service.app, '/direct-authz/revoke', { sub: 'alice' })).toEqual(NO_CONTENT);
  expect(await service.sql('SELECT id FROM session')).toEqual([{ id: bobs.sid }]);
  const notified = await service.sql('SELECT subject, sid FROM logout_delivery');
  expect(notified.map(({ subject, sid }) => `${subject} ${sid}`).toSorted()).toEqual(
    sessions.map(({ clients }) => `alice ${clients[id]?.sid}`).toSorted(),
  );
  const events = await service.sql(
    `SELECT action FROM audit_event WHERE action LIKE '%.ended' OR action LIKE '%.revoked'`,
  );
  expect(events.map(({ action }) => action)).toEqual(['session.ended', 'session.ended', 'tokens.revoked']);
  expect(await post(service.app, '/direct-authz/revoke', { sub: 'alice' })).toEqual(NO_CONTENT);
  expect(await service.sql('SELECT FROM logout_delivery')).toHaveLength(2);
});

it('responds with 204 for inactive and unknown tokens, also when repeated', async () => {
  const service = await buildTestApp();
  const { app, clock } = service;
  const { client_id: id } = await service.register();
  const { gone } = await tokens(service, { client_id: id, expires_in: 5 }, { client_id: id });
  clock.advanceSeconds(5);
  const bodies = [
    ...gone.map((token) => ({ token })),
    { token: 'x' },
    { token: 'x'.repeat(43) },
    { token: 'e30.e30.e30' },
    { token: 'not a token at all' },
    { token: `${gone[1]?.slice(0, -4)}AAAA` },
    { client_id: 'unknown' },
    { sub: 'unknown-id' },
    { sid: 'none' },
  ];
  for (const body of [...bodies, ...bodies])
    expect(await post(app, '/direct-authz/revoke', body), JSON.stringify(body)).toEqual(NO_CONTENT);
});
