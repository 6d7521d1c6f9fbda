import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { buildTestApp, MASTER, type TestApp } from '../support/build-test-app.js';
import { badRequest, issued, members, NO_CONTENT, post, send } from '../support/calls.js';
import { authorizationAddress, aVerifier, exchange } from '../support/code-flow.js';
import { verified } from '../support/key-set.js';

interface Opened {
  readonly sid: string;
  readonly clients: Readonly<Record<string, { readonly sid: string }>>;
  readonly cookie: { readonly name: string; readonly value: string };
}

const NOT_LIVE = badRequest('sid: is not a live session of the end-user in sub');
const SID = /^[A-Za-z0-9]{22}$/;

async function open({ app }: TestApp, sub: string, clientIds: readonly string[] = []) {
  return members(
    await post(app, '/direct-authz/sessions', { sub, client_ids: clientIds }),
  ) as unknown as Opened;
}

/** A client that registered a back channel at an address of its own. */
const registered = ({ register }: TestApp, name: string, metadata: object = {}) =>
  register({ backchannel_logout_uri: `https://${name}.example/out`, ...metadata });

async function sidOf({ app }: TestApp, idToken = ''): Promise<unknown> {
  return (await verified(app, idToken, { currentDate: new Date() })).payload['sid'];
}

const end = ({ app }: TestApp, sid: string) =>
  send(app, `DELETE /direct-authz/sessions/${sid}`, { token: MASTER });

it('adds a client that gets an ID token to the session, with its own sid, with which it is notified', async () => {
  const here = await buildTestApp({}, false, true);
  const [early, late, without] = [
    await registered(here, 'early'),
    await registered(here, 'late'),
    await registered(here, 'without'),
  ];
  const session = await open(here, 'carol', [early.client_id]);
  const token = (client: typeof early, sid: string) =>
    issued(here.app, { client_id: client.client_id, sub: 'carol', scope: 'openid', sid });
  const earlySid = session.clients[early.client_id]?.sid;
  const lateSid = await sidOf(here, (await token(late, session.sid)).id_token);
  expect(lateSid).toMatch(SID);
  expect(new Set([session.sid, earlySid, lateSid]).size).toBe(3);
  // By any identifier of the session, and each time the same.
  for (const name of [session.sid, String(lateSid), earlySid ?? ''])
    expect(await sidOf(here, (await token(late, name)).id_token), name).toBe(lateSid);
  expect(await sidOf(here, (await token(early, session.sid)).id_token)).toBe(earlySid);
  expect(without.client_id).toBeTruthy();
  expect(await end(here, session.sid)).toEqual(NO_CONTENT);
  expect(await here.sql('SELECT uri, subject, sid, session_id FROM logout_delivery ORDER BY uri')).toEqual([
    { uri: 'https://early.example/out', subject: 'carol', sid: earlySid, session_id: session.sid },
    { uri: 'https://late.example/out', subject: 'carol', sid: lateSid, session_id: session.sid },
  ]);
});

it('refuses a session that is unknown, ended, expired or of another end-user, and joins none', async () => {
  const here = await buildTestApp();
  const { client_id: id } = await registered(here, 'app');
  const [ended, expired, live] = [
    await open(here, 'carol'),
    await open(here, 'carol'),
    await open(here, 'bob'),
  ];
  expect(await end(here, ended.sid)).toEqual(NO_CONTENT);
  await here.sql('UPDATE session SET expires_at = to_timestamp(0) WHERE id = $1', [expired.sid]);
  for (const sid of ['made-up', ended.sid, expired.sid, live.sid])
    expect(
      await post(here.app, '/direct-authz', { client_id: id, sub: 'carol', scope: 'openid', sid }),
      sid,
    ).toEqual(NOT_LIVE);
  expect(await here.sql('SELECT FROM session_client')).toEqual([]);
  expect(await here.sql('SELECT FROM access_token')).toEqual([]);
});

it('joins no session if the ID token cannot be issued', async () => {
  const here = await buildTestApp();
  const { client_id: id } = await registered(here, 'app', {
    id_token_encrypted_response_alg: 'ECDH-ES',
    jwks_uri: 'https://app.example/jwks',
  });
  const { sid } = await open(here, 'carol');
  const { status } = await post(here.app, '/direct-authz', {
    client_id: id,
    sub: 'carol',
    scope: 'openid',
    sid,
  });
  expect(status).toBe(400);
  expect(await here.sql('SELECT FROM session_client')).toEqual([]);
});

it('uses the sid of the client in an access token, and refuses a session of another end-user there too', async () => {
  const here = await buildTestApp();
  const [{ client_id: id }, { client_id: other }] = [await here.register(), await here.register()];
  const { sid, clients } = await open(here, 'carol', [id]);
  const requestToken = (request: object) =>
    post(here.app, '/direct-authz', { client_id: id, sub: 'carol', scope: 'read', ...request });
  for (const request of [
    { sid },
    { sid, scope: 'openid' },
    { sid, client_id: other },
    { sid: 'of-their-own' },
  ])
    expect((await requestToken(request)).status).toBe(200);
  expect(await requestToken({ sid, sub: 'bob' })).toEqual(
    badRequest('sid: is a session of another end-user than sub'),
  );
  const rows = await here.sql(
    'SELECT session_id FROM access_token ORDER BY client_id = $1 DESC, session_id',
    [id],
  );
  const own = clients[id]?.sid;
  expect(rows.map(({ session_id: name }) => name)).toEqual([...[own, own, 'of-their-own'].toSorted(), sid]);
});

it('refuses an access token for a session that has ended, by any of its identifiers', async () => {
  const here = await buildTestApp();
  const { client_id: id } = await here.register();
  const { sid, clients } = await open(here, 'carol', [id]);
  expect(await end(here, sid)).toEqual(NO_CONTENT);
  for (const name of [sid, clients[id]?.sid])
    expect(
      await post(here.app, '/direct-authz', { client_id: id, sub: 'carol', scope: 'read', sid: name }),
    ).toEqual(badRequest('sid: is a session that has ended, or client_id is not a registered client'));
  expect(await here.sql('SELECT FROM access_token')).toEqual([]);
});

it('joins the session that the login page continues, with the same sid after a login at that client', async () => {
  const here = await buildTestApp({}, false, true);
  const [first, late] = [
    await registered(here, 'first'),
    await registered(here, 'late', { scope: 'openid' }),
  ];
  const session = await open(here, 'carol', [first.client_id]);
  const request = { client_id: late.client_id, sub: 'carol', scope: 'openid', sid: session.sid };
  const sid = await sidOf(here, (await issued(here.app, request)).id_token);
  const browser = openBrowser(here.app);
  browser.setCookie(session.cookie.name, session.cookie.value);
  const { verifier, challenge } = aVerifier();
  const go = (client: typeof first) =>
    browser.go(authorizationAddress(client, challenge, { prompt: 'none', scope: 'openid' }));
  // The library saves the session that it read, with the one client that it knows.
  const landed = new URL((await go(first)).location ?? '');
  expect(await exchange(here.app, first, landed, verifier)).toMatchObject({ status: 200 });
  expect(await here.sql('SELECT sid FROM session_client WHERE client_id = $1', [late.client_id])).toEqual([
    { sid },
  ]);
  const refused = new URL((await go(late)).location ?? '');
  expect(refused.searchParams.get('error')).toBe('consent_required');
  expect(await sidOf(here, (await issued(here.app, request)).id_token)).toBe(sid);
  await end(here, session.sid);
  expect(await here.sql(`SELECT sid FROM logout_delivery WHERE uri LIKE '%late%'`)).toEqual([{ sid }]);
});

it('notifies a client that first requested access without openid, once it has received an ID token', async () => {
  const here = await buildTestApp({}, false, true);
  const client = await registered(here, 'access');
  const session = await open(here, 'carol', [client.client_id]);
  await here.sql(`UPDATE "authorization" SET payload = payload #- '{openid}'`);
  const request = { client_id: client.client_id, sub: 'carol', scope: 'openid', sid: session.sid };
  await issued(here.app, request);
  await end(here, session.sid);
  expect(await here.sql('SELECT sid FROM logout_delivery')).toEqual([
    { sid: session.clients[client.client_id]?.sid },
  ]);
});
