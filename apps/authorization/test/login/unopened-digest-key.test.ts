import { updateClient } from '@vestibule/clients/management';
import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { MASTER, type TestApp } from '../support/build-test-app.js';
import {
  authorizationAddress,
  aVerifier,
  exchange,
  logIn,
  postForm,
  tokensOf,
} from '../support/code-flow.js';
import { instancesApart } from '../support/unopened-key.js';

type Server = TestApp['app'];

const CLIENT = { grant_types: ['authorization_code', 'refresh_token'] };
const createFixture = () => instancesApart((here) => here.register(CLIENT));

const userinfo = async (app: Server, token: unknown) =>
  (await app.inject({ url: '/userinfo', headers: { authorization: `Bearer ${token}` } })).statusCode;

it('rejects no code and no token that may be under a digest key that cannot be decrypted', async () => {
  const { here, there, made: client, rewrap } = await createFixture();
  const { app } = here;
  const { body } = await tokensOf(there, client);
  const { verifier, challenge } = aVerifier();
  const landed = await logIn(openBrowser(there), authorizationAddress(client, challenge));
  const refresh = () =>
    postForm(app, '/token', client, {
      grant_type: 'refresh_token',
      refresh_token: String(body.refresh_token),
    });
  const failing = [await exchange(app, client, landed, verifier), await refresh()];
  for (const { status, body } of failing) expect([status, body.error]).toEqual([500, 'server_error']);
  expect(await userinfo(app, body.access_token)).toBe(500);
  const own = await tokensOf(app, client);
  expect([own.status, await userinfo(app, own.body.access_token)]).toEqual([200, 200]);
  await rewrap();
  expect(await userinfo(app, body.access_token)).toBe(200);
  for (const { status } of [await exchange(app, client, landed, verifier), await refresh()])
    expect(status).toBe(200);
});

it('treats no session as ended that may be under such a key, and keeps the cookies', async () => {
  const { here, there, made: client, rewrap } = await createFixture();
  const away = openBrowser(there);
  await logIn(away, authorizationAddress(client, aVerifier().challenge));
  const browser = openBrowser(here.app);
  for (const { name, value } of away.cookies()) browser.setCookie(name, value);
  const silently = () => browser.go(authorizationAddress(client, aVerifier().challenge, { prompt: 'none' }));
  const before = browser.cookies();
  expect((await silently()).status).toBe(500);
  expect(browser.cookies()).toEqual(before);
  await rewrap();
  const { searchParams } = new URL((await silently()).location ?? '');
  expect([searchParams.get('error'), searchParams.has('code')]).toEqual([null, true]);
});

it('continues an interaction that started under such a key once the key can be decrypted', async () => {
  const { here, there, made: client, rewrap } = await createFixture();
  const away = openBrowser(there);
  const page = await away.follow(
    await away.go(authorizationAddress(client, aVerifier().challenge)),
    here.deps.issuer,
  );
  expect(page.status).toBe(200);
  const uid = away.cookies().find(({ name }) => name.endsWith('vestibule_interaction'))?.value ?? '';
  const cookie = away
    .cookies()
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ');
  const show = () => here.app.inject({ url: `/interaction/${uid}`, headers: { cookie } });
  const fault = await show();
  expect([fault.statusCode, fault.headers['set-cookie']]).toEqual([500, undefined]);
  await rewrap();
  expect((await show()).statusCode).toBe(200);
});

it('accepts the current and the replaced secrets of a client, and no others, whichever keys their digests are under', async () => {
  const machine = {
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    scope: 'read',
  };
  const overlap = { CLIENT_SECRET_OVERLAP_SECONDS: '120' };
  const { here, digesterOfThere, made } = await instancesApart((here) => here.register(machine), overlap);
  const { client_id } = made;
  const settings = { ...here.registration.settings, clientSecretOverlapSeconds: 120 };
  const secrets = [made.client_secret];
  for (let times = 0; times < 2; times += 1) {
    const deps = { ...here.registration, settings, digester: digesterOfThere };
    const request = { id: client_id, token: MASTER, body: { ...machine, client_id } };
    secrets.push(String((await updateClient(deps, request)).information.client_secret));
  }
  const send = (client_secret = 'wrong') =>
    postForm(here.app, '/token', { client_id, client_secret }, { grant_type: 'client_credentials' });
  for (const secret of secrets) expect((await send(secret)).status).toBe(200);
  expect((await send()).status).toBe(401);
});
