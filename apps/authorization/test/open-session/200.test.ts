import { expect, it, onTestFinished } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { buildTestApp } from '../support/build-test-app.js';
import { members, post } from '../support/calls.js';
import { authorizationAddress, aVerifier, exchange } from '../support/code-flow.js';

const build = () => buildTestApp({}, false, true);

interface Opened {
  readonly sid: string;
  readonly clients: Readonly<Record<string, { readonly sid: string }>>;
  readonly cookie: { readonly name: string; readonly value: string };
}

it('opens a session that logs a browser in by its cookie, at the named clients and at no other', async () => {
  const { app, register } = await build();
  const [one, other] = [await register({ scope: 'openid read' }), await register()];
  const session = members(
    await post(app, '/direct-authz/sessions', { sub: 'carol', client_ids: [one.client_id] }),
  ) as unknown as Opened;
  expect(session).toEqual({
    sid: expect.stringMatching(/^[\w-]{21,}$/),
    clients: { [one.client_id]: { sid: expect.stringMatching(/^[\w-]{21,}$/) } },
    cookie: { name: '__Host-vestibule_session', value: expect.stringMatching(/^[\w-]{21,}$/) },
  });
  expect(new Set([session.sid, session.clients[one.client_id]?.sid, session.cookie.value]).size).toBe(3);
  const browser = openBrowser(app);
  browser.setCookie(session.cookie.name, session.cookie.value);
  const { verifier, challenge } = aVerifier();
  const silently = (client: typeof one, scope: string) =>
    browser.go(authorizationAddress(client, challenge, { prompt: 'none', scope }));
  const landed = new URL((await silently(one, 'openid read')).location ?? '');
  expect(await exchange(app, one, landed, verifier)).toMatchObject({ status: 200 });
  const refused = new URL((await silently(other, 'openid')).location ?? '');
  expect(refused.searchParams.get('error')).toBe('consent_required');
});

it('opens a session without clients, and counts a repeated client once', async () => {
  const { app, register } = await build();
  const { client_id: id } = await register();
  expect(members(await post(app, '/direct-authz/sessions', { sub: 'carol' }))['clients']).toEqual({});
  const twice = members(await post(app, '/direct-authz/sessions', { sub: 'carol', client_ids: [id, id] }));
  expect(Object.keys(twice['clients'] as object)).toEqual([id]);
});

it('opens a session under the identifier that your server gave it, and each client joins and leaves by it', async () => {
  const { app, sql, register } = await build();
  const [one, other] = [await register({ scope: 'openid' }), await register({ scope: 'openid' })];
  const sid = 'a3f1b9de-7c1d-4b0a-9e57-2f8f6f7a1c55';
  const request = { sub: 'carol', sid, client_ids: [one.client_id] };
  const session = members(await post(app, '/direct-authz/sessions', request)) as unknown as Opened;
  expect(session.sid).toBe(sid);
  const browser = openBrowser(app);
  browser.setCookie(session.cookie.name, session.cookie.value);
  const { challenge } = aVerifier();
  const login = authorizationAddress(one, challenge, { prompt: 'none', scope: 'openid' });
  expect((await browser.go(login)).location).toContain('code=');
  const joining = { client_id: other.client_id, sub: 'carol', scope: 'openid', sid };
  expect((await post(app, '/direct-authz', joining)).status).toBe(200);
  const joined = await sql('SELECT client_id FROM session_client WHERE session_id = $1', [sid]);
  expect(joined.map(({ client_id }) => client_id).toSorted()).toEqual(
    [one.client_id, other.client_id].toSorted(),
  );
  expect(await sql(`SELECT action FROM audit_event WHERE action LIKE 'session.%'`)).toEqual([
    { action: 'session.opened' },
  ]);
});

it('records the actor in the statement that opens the session', async () => {
  const { app, sql } = await build();
  const session = members(await post(app, '/direct-authz/sessions', { sub: 'carol' })) as unknown as Opened;
  const [digest] = await sql(`SELECT 'session:' || left(encode(sha256($1), 'hex'), 16) AS target`, [
    Buffer.from(session.sid),
  ]);
  expect(await sql('SELECT actor, action, target FROM audit_event')).toEqual([
    { actor: 'master', action: 'session.opened', ...digest },
  ]);
  await sql('ALTER TABLE audit_event RENAME TO hidden');
  onTestFinished(async () => void (await sql('ALTER TABLE hidden RENAME TO audit_event')));
  expect((await post(app, '/direct-authz/sessions', { sub: 'carol' })).status).toBe(500);
  expect(await sql('SELECT FROM session')).toHaveLength(1);
});
