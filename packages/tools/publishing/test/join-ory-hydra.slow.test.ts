import { delimiter } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserPage, openCookieBrowser } from './walk/cookie-browser.js';
import { openPageFixture, type PageFixture } from './walk/page-fixture.js';
import { ambiguousPaths, requestPath } from './walk/raw-request.js';
import { type Application, decodeJwt, membersOf, postForm } from './walk/token-requests.js';

/** The folder of the program `hydra`, which `pnpm works-with ory-hydra` builds. */
const HYDRA_FOLDER = process.env['WALKED_HYDRA'] ?? '';
/** The ports of the page: gateway, services, Hydra, its admin API, login application, `tokens.mjs`, applications. */
const PORTS = ['3000', '8080', '4444', '4445', '5555', '5556', '4001', '4002', '4003'];
const WAIT_MS = 60_000;
const SHOP: Application = { id: 'shop', secret: 'shop-secret-of-at-least-32-characters' };
const MAIL: Application = { id: 'mail', secret: 'mail-secret-of-at-least-32-characters' };

interface Shown {
  readonly user: string | null;
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
}

if (HYDRA_FOLDER === '')
  process.stderr.write(
    'Skips the page on joining Ory Hydra: `npx -y pnpm works-with ory-hydra` fetches the server and walks it.\n',
  );

describe.skipIf(HYDRA_FOLDER === '')('the page on joining Ory Hydra', () => {
  let page: PageFixture;
  const browser = openCookieBrowser();
  const issuer = () => page.address('3000');
  const shown = async (port: string): Promise<Shown> =>
    JSON.parse((await browser.open(page.address(port))).text);
  const logIn = (port: string) => browser.open(`${page.address(port)}/login`);
  const signIn = (login: BrowserPage) => browser.submit(login, { name: 'ada', password: 'lovelace' });
  /** Logs in with the password, after which the applications show a login. */
  const signInAt = async (port: string): Promise<Shown> => {
    const login = await logIn(port);
    expect(login.text).toContain('type="password"');
    await signIn(login);
    return shown(port);
  };
  /** Logs in without a login page. */
  const enterAt = async (port: string): Promise<Shown> => {
    expect((await logIn(port)).url.href).toBe(`${page.address(port)}/`);
    return shown(port);
  };
  const introspect = async (token: string) => {
    const { client_id: id, client_secret: secret } = JSON.parse(page.read('orders-api.json'));
    return (await postForm(`${issuer()}/token/introspect`, { token }, { id, secret })).body;
  };
  const atHydra = (path: string, fields: Record<string, string>, application = SHOP) =>
    postForm(`${issuer()}/oauth2/${path}`, fields, application);
  const refresh = (token: string, application = SHOP) =>
    atHydra('token', { grant_type: 'refresh_token', refresh_token: token }, application);
  const hydraClient = (id: string) => fetch(`${page.address('4445')}/admin/clients/${id}`);
  const atServices = (method: string, path: string, body?: object) =>
    fetch(page.address('8080') + path, {
      method,
      headers: {
        authorization: `Bearer ${page.dataFile('master-token')}`,
        'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      },
      body: JSON.stringify(body),
    });

  beforeAll(async () => {
    const environment = { PATH: `${HYDRA_FOLDER}${delimiter}${process.env['PATH']}` };
    page = await openPageFixture('join-ory-hydra.md', PORTS, '8080', { environment });
  });

  afterAll(() => page?.close());

  it.each([
    '1. Start the services',
    '2. Start Hydra',
    '3. Start the login application',
    '4. Follow tokens and revocations',
    '5. Put the gateway in front',
    '6. Import the clients',
    '7. Log in',
  ])('works as written: %s', async (heading) => {
    await page.walk.section(heading);
  });

  it('refuses ambiguous paths at the gateway', async () => {
    for (const path of ambiguousPaths()) expect(await requestPath(issuer(), path, 'POST')).toBe(400);
    expect(await requestPath(issuer(), '/token-hook', 'POST')).toBe(404);
  });

  it('login at two applications with one password', async () => {
    expect(await signInAt('4001')).toMatchObject({ user: 'ada' });
    expect(await enterAt('4002')).toMatchObject({ user: 'ada' });
    expect((await membersOf(await hydraClient('shop')))['backchannel_logout_uri']).toBeFalsy();
  });

  it('works as written: 8. Introspect the tokens', async () => {
    await page.walk.section('8. Introspect the tokens');
    const { access_token: token, id_token: idToken, refresh_token: refreshToken } = await shown('4001');
    expect((await introspect(token)).sid).toBe(decodeJwt(idToken).claims['sid']);
    const { access_token: opaque, refresh_token: other } = await shown('4002');
    expect(opaque).toMatch(/^ory_at_/);
    for (const inactive of [idToken, refreshToken, other])
      expect(await introspect(inactive)).toEqual({ active: false });
  });

  it('client_credentials: active with an audience, inactive without', async () => {
    const fields = { grant_type: 'client_credentials', scope: 'orders' };
    const named = await atHydra('token', { ...fields, audience: 'https://orders.example' });
    expect(await introspect(named.body.access_token)).toMatchObject({ active: true, client_id: 'shop' });
    const unnamed = await atHydra('token', fields);
    expect(await introspect(unnamed.body.access_token)).toEqual({ active: false });
  });

  it('works as written: 9. Revoke a token', async () => {
    await page.walk.section('9. Revoke a token');
  });

  it('refresh, revoke at Hydra: inactive', async () => {
    const { body } = await refresh((await shown('4001')).refresh_token);
    expect(await introspect(body.access_token)).toMatchObject({ active: true });
    // Hydra responds with 200 to a client that the token does not belong to, and revokes nothing.
    expect((await atHydra('revoke', { token: body.access_token }, MAIL)).status).toBe(200);
    expect(await introspect(body.access_token)).toMatchObject({ active: true });
    expect((await atHydra('revoke?x=1', { token: body.access_token })).status).toBe(200);
    expect(await introspect(body.access_token)).toEqual({ active: false });
  });

  it('logout page: both applications are notified, refresh is refused, the next login asks', async () => {
    const shop = await enterAt('4001');
    const mail = await shown('4002');
    const confirmation = await browser.open(`${page.address('4001')}/logout`);
    expect(confirmation.url.pathname).toBe('/logout');
    const landed = await browser.submit(confirmation, { decision: 'accept' });
    expect(landed.url.href).toBe(`${page.address('4001')}/`);
    for (const port of ['4001', '4002'])
      await expect.poll(async () => (await shown(port)).user, { timeout: WAIT_MS }).toBeNull();
    await page.walk.section('10. Log out everywhere');
    expect(await introspect(shop.access_token)).toEqual({ active: false });
    for (const refused of [await refresh(shop.refresh_token), await refresh(mail.refresh_token, MAIL)])
      expect(refused.body.error).toBe('access_denied');
    expect(await introspect((await signInAt('4001')).access_token)).toMatchObject({ active: true });
  });

  it('end a session at Vestibule by its Hydra identifier: the next login asks', async () => {
    const { access_token: token } = await shown('4001');
    const { sid } = decodeJwt(token).claims;
    expect((await atServices('DELETE', `/direct-authz/sessions/${sid}`)).status).toBe(204);
    expect(await introspect(token)).toEqual({ active: false });
    await signInAt('4001');
  });

  it('works as written: 11. Register a client', async () => {
    await page.walk.section('11. Register a client');
    const { access_token: token } = await enterAt('4003');
    expect(await introspect(token)).toMatchObject({ active: true });
  });

  it('copy changes and deletions of clients, without logout members', async () => {
    const { client_id: id } = JSON.parse(page.read('notes.json'));
    const copy = async () => {
      const command = page.walk.start('MASTER_TOKEN_FILE=$DATA_DIR/master-token node copy-clients.mjs');
      expect([await command.ended, command.output()]).toEqual([0, '']);
      return hydraClient(id);
    };
    const metadata = { client_name: 'Renamed', backchannel_logout_uri: 'https://notes.example/logout' };
    const patched = await atServices('PATCH', `/clients/${id}`, metadata);
    expect([patched.status, await patched.text()]).toEqual([200, expect.stringContaining('Renamed')]);
    const copied = await membersOf(await copy());
    expect(copied).toMatchObject({ client_name: 'Renamed', owner: 'vestibule' });
    expect(copied['backchannel_logout_uri']).toBeFalsy();
    expect((await atServices('DELETE', `/clients/${id}`)).status).toBe(204);
    expect((await copy()).status).toBe(404);
    expect((await hydraClient('shop')).status).toBe(200);
  });

  it('works as written: 12. Rotate the keys', async () => {
    const { access_token: before } = await enterAt('4001');
    await page.walk.section('12. Rotate the keys');
    const { access_token: after } = await enterAt('4001');
    expect(decodeJwt(after).header['kid']).not.toBe(decodeJwt(before).header['kid']);
    await expect.poll(() => introspect(after), { timeout: WAIT_MS }).toMatchObject({ active: true });
    expect(await introspect(before)).toMatchObject({ active: true });
  });

  it('print no secret and no token', async () => {
    const { access_token: token, refresh_token: other } = await shown('4001');
    const { client_secret: secret } = JSON.parse(page.read('orders-api.json'));
    for (const text of [page.dataFile('master-token'), secret, SHOP.secret, token, other])
      expect(page.walk.output()).not.toContain(text);
  });
});
