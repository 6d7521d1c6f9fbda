import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCookieBrowser } from './walk/cookie-browser.js';
import { openPageFixture, type PageFixture } from './walk/page-fixture.js';
import { ambiguousPaths, requestPath } from './walk/raw-request.js';
import { type Application, decodeJwt, membersOf, postForm } from './walk/token-requests.js';

/** The folder of Keycloak, which `pnpm works-with keycloak` unpacks. */
const KEYCLOAK_HOME = process.env['WALKED_KEYCLOAK'] ?? '';
/** The ports of the page: gateway, services, Keycloak, applications. */
const PORTS = ['3000', '8080', '8180', '4001', '4002'];
const WAIT_MS = 60_000;
/** A start of Keycloak on a machine that is busy. */
const START_MS = 900_000;
/** A revocation covers tokens of another server that are dated up to 30 seconds later. */
const CUTOFF_MS = 31_000;
/** A key that Keycloak no longer publishes is withdrawn within a minute. */
const WITHDRAWN_MS = 120_000;
const WEB: Application = { id: 'web', secret: 'web-secret-of-at-least-32-characters' };
const KEY_PROVIDER = 'org.keycloak.keys.KeyProvider';

interface Shown {
  readonly user: string | null;
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
}

if (KEYCLOAK_HOME === '')
  process.stderr.write(
    'Skips the page on joining Keycloak: `npx -y pnpm works-with keycloak` fetches the server and walks it.\n',
  );

describe.skipIf(KEYCLOAK_HOME === '')('the page on joining Keycloak', () => {
  let page: PageFixture;
  const browser = openCookieBrowser();
  const issuer = () => `${page.address('3000')}/realms/shop`;
  const shown = async (port: string): Promise<Shown> =>
    JSON.parse((await browser.open(page.address(port))).text);
  /** Logs in at an application, with the password unless there is a session. */
  const signInAt = async (port: string): Promise<Shown> => {
    const login = await browser.open(`${page.address(port)}/login`);
    if (login.url.href !== `${page.address(port)}/`) {
      const landed = await browser.submit(login, { username: 'ada', password: 'lovelace', credentialId: '' });
      expect(landed.url.href).toBe(`${page.address(port)}/`);
    }
    return shown(port);
  };
  const freshLogin = () => {
    browser.forget();
    return signInAt('4001');
  };
  const atKeycloak = (path: string, fields: Record<string, string>) =>
    postForm(`${issuer()}/protocol/openid-connect/${path}`, fields, WEB);
  const refresh = (token: string) =>
    atKeycloak('token', { grant_type: 'refresh_token', refresh_token: token });
  const orders = (): Application => {
    const { client_id: id, client_secret: secret } = JSON.parse(page.read('orders-api.json'));
    return { id, secret };
  };
  const introspect = async (token: string, path = 'token/introspect') =>
    (await postForm(`${issuer()}/${path}`, { token }, orders())).body;
  const inactive = (token: string, timeout = WAIT_MS) =>
    expect.poll(() => introspect(token), { timeout }).toEqual({ active: false });
  const atServices = (method: string, path: string, body?: object) =>
    fetch(page.address('8080') + path, {
      method,
      headers: {
        authorization: `Bearer ${page.dataFile('master-token')}`,
        'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      },
      body: JSON.stringify(body),
    });
  const revoke = async (revocation: object) =>
    expect((await atServices('POST', '/direct-authz/revoke', revocation)).status).toBe(204);
  /** A request to the admin API of Keycloak, with the function of the page. Resolves with what it returns. */
  const admin = async (...parameters: readonly (string | object)[]) => {
    page.walk.write(
      'admin.mjs',
      `import { keycloak } from './requests.mjs';
console.log(JSON.stringify(await keycloak(...${JSON.stringify(parameters)})) ?? null);`,
    );
    const command = page.walk.start('MASTER_TOKEN_FILE=$DATA_DIR/master-token node admin.mjs');
    expect([await command.ended, command.output()]).toEqual([0, expect.any(String)]);
    return JSON.parse(command.output());
  };
  const copyClients = async () => {
    const command = page.walk.start('MASTER_TOKEN_FILE=$DATA_DIR/master-token node copy-clients.mjs');
    expect([await command.ended, command.output()]).toEqual([0, '']);
  };
  const withAttributes = async (attributes: Record<string, string>) => {
    const [web] = await admin('GET', '/clients?clientId=web');
    await admin('PUT', `/clients/${web.id}`, { ...web, attributes: { ...web.attributes, ...attributes } });
  };
  const sidOf = (token: string) => decodeJwt(token).claims['sid'];
  const subOf = (token: string) => decodeJwt(token).claims['sub'];

  beforeAll(async () => {
    page = await openPageFixture('join-keycloak.md', PORTS, '8080', {
      environment: { KEYCLOAK_HOME },
      printTimeoutMs: START_MS,
    });
  });

  afterAll(() => page?.close());

  it.each([
    '1. Start the services',
    '2. Start Keycloak',
    '3. Put the gateway in front',
    '4. Import the clients',
    '5. Name each API in the audience',
    '6. Log in',
  ])(
    'works as written: %s',
    async (heading) => {
      await page.walk.section(heading);
    },
    START_MS,
  );

  it('refuses ambiguous paths, and registration at Keycloak, at the gateway', async () => {
    for (const path of ambiguousPaths('/realms/shop'))
      expect(await requestPath(page.address('3000'), path, 'POST')).toBe(400);
    const registration = '/realms/shop/clients-registrations';
    expect(await requestPath(page.address('3000'), `${registration}/default`, 'POST')).toBe(404);
    expect(await requestPath(page.address('3000'), `${registration};x/default`, 'POST')).toBe(400);
  });

  it('login', async () => {
    expect(await signInAt('4001')).toMatchObject({ user: 'ada' });
  });

  it('works as written: 7. Introspect the token', async () => {
    await page.walk.section('7. Introspect the token');
    const { id_token: idToken, refresh_token: refreshToken } = await shown('4001');
    for (const token of [idToken, refreshToken]) expect(await introspect(token)).toEqual({ active: false });
  });

  it('introspect and register at the addresses in Keycloak’s discovery document', async () => {
    const { access_token: token } = await shown('4001');
    const discovery = await membersOf(await fetch(`${issuer()}/.well-known/openid-configuration`));
    const response = await postForm(String(discovery['introspection_endpoint']), { token }, orders());
    expect(response.body).toMatchObject({ active: true, aud: ['https://orders.example'] });
    const registration = await fetch(String(discovery['registration_endpoint']), { method: 'POST' });
    expect([registration.status, registration.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('Bearer'),
    ]);
  });

  it('client_credentials', async () => {
    const { body } = await atKeycloak('token', { grant_type: 'client_credentials', scope: 'orders' });
    expect(await introspect(body.access_token)).toMatchObject({ active: true });
  });

  it('at+jwt: active; lightweight access tokens: inactive', async () => {
    await withAttributes({ 'access.token.header.type.rfc9068': 'true' });
    const { access_token: typed } = await signInAt('4001');
    expect([decodeJwt(typed).header['typ'], await introspect(typed)]).toEqual([
      'at+jwt',
      expect.objectContaining({ active: true }),
    ]);
    const lightweight = 'client.use.lightweight.access.token.enabled';
    await withAttributes({ 'access.token.header.type.rfc9068': 'false', [lightweight]: 'true' });
    expect(await introspect((await signInAt('4001')).access_token)).toEqual({ active: false });
    await withAttributes({ [lightweight]: 'false' });
    expect(await introspect((await signInAt('4001')).access_token)).toMatchObject({ active: true });
  });

  it('signed introspection response, verified with the keys of Vestibule', async () => {
    const { id, secret } = orders();
    const response = await fetch(`${issuer()}/token/introspect`, {
      method: 'POST',
      headers: {
        accept: 'application/token-introspection+jwt',
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      },
      body: new URLSearchParams({ token: (await shown('4001')).access_token }),
    });
    const { kid } = decodeJwt(await response.text()).header;
    const { keys } = await membersOf(await fetch(`${issuer()}/jwks.json`));
    expect(keys).toContainEqual(expect.objectContaining({ kid }));
  });

  it('ID token as a hint at Vestibule’s logout page: proves the client, and ends nothing', async () => {
    const { id_token: hint, access_token: token } = await shown('4001');
    const landing = `${page.address('4001')}/`;
    const query = new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: landing });
    const response = await fetch(`${page.address('8080')}/logout?${query}`, { redirect: 'manual' });
    expect(response.headers.get('location')).toBe(landing);
    expect(await introspect(token)).toMatchObject({ active: true });
  });

  it('works as written: 8. Revoke', async () => {
    const { access_token: token, refresh_token: refreshToken } = await signInAt('4001');
    expect(await introspect(token)).toMatchObject({ active: true });
    await page.walk.section('7. Introspect the token');
    await page.walk.section('8. Revoke');
    expect(await introspect(token)).toEqual({ active: false });
    // Keycloak does not know of it.
    const { body } = await refresh(refreshToken);
    expect(await introspect(body.access_token)).toMatchObject({ active: true });
  });

  it('end a session at both', async () => {
    const { access_token: token, refresh_token: refreshToken } = await freshLogin();
    await admin('DELETE', `/sessions/${sidOf(token)}`);
    // Known to Vestibule only when it is told.
    expect(await introspect(token)).toMatchObject({ active: true });
    await revoke({ sid: sidOf(token) });
    expect(await introspect(token)).toEqual({ active: false });
    expect((await refresh(refreshToken)).body.error).toBe('invalid_grant');
  });

  it('works as written: 9. Follow logouts at Keycloak', async () => {
    await page.walk.section('9. Follow logouts at Keycloak');
    const { access_token: token } = await freshLogin();
    expect((await browser.open(`${page.address('4001')}/logout`)).url.href).toBe(`${page.address('4001')}/`);
    await inactive(token);
  });

  it('session ended by an administrator, followed', async () => {
    const { access_token: token } = await freshLogin();
    await admin('DELETE', `/sessions/${sidOf(token)}`);
    await inactive(token);
  });

  it('refresh token revoked at Keycloak, followed', async () => {
    const { access_token: token, refresh_token: refreshToken } = await freshLogin();
    expect((await atKeycloak('revoke', { token: refreshToken })).status).toBe(200);
    await inactive(token);
  });

  it('user logged out by an administrator, followed; half a minute later a new login is active', async () => {
    const { access_token: token } = await freshLogin();
    await admin('POST', `/users/${subOf(token)}/logout`);
    await inactive(token);
    await pause(CUTOFF_MS);
    expect(await introspect((await freshLogin()).access_token)).toMatchObject({ active: true });
  });

  it('works as written: 10. Register a client', async () => {
    await page.walk.section('10. Register a client');
    expect(await introspect((await signInAt('4002')).access_token)).toMatchObject({ active: true });
  });

  it('copy changes, new secrets and deletions of clients', async () => {
    const { client_id: id, client_secret: secret } = JSON.parse(page.read('notes.json'));
    expect((await atServices('PATCH', `/clients/${id}`, { client_name: 'Renamed' })).status).toBe(200);
    const rotated = await membersOf(await atServices('POST', `/clients/${id}/secret`));
    expect(rotated['client_secret']).not.toBe(secret);
    await copyClients();
    expect(await admin('GET', `/clients?clientId=${id}`)).toMatchObject([
      { name: 'Renamed', secret: rotated['client_secret'] },
    ]);
    expect((await atServices('DELETE', `/clients/${id}`)).status).toBe(204);
    await copyClients();
    expect(await admin('GET', `/clients?clientId=${id}`)).toEqual([]);
    expect(await admin('GET', '/clients?clientId=web')).toHaveLength(1);
  });

  it('rotate keys: old and new tokens are active, until the old key is withdrawn', async () => {
    const [earlier] = (await admin('GET', `/components?type=${KEY_PROVIDER}`)).filter(
      ({ providerId }: { readonly providerId: string }) => providerId === 'rsa-generated',
    );
    const { access_token: before } = await signInAt('4001');
    await admin('POST', '/components', {
      name: 'rsa-next',
      providerId: 'rsa-generated',
      providerType: KEY_PROVIDER,
      config: { priority: ['200'], enabled: ['true'], active: ['true'], algorithm: ['RS256'] },
    });
    const { access_token: after } = await signInAt('4001');
    expect(decodeJwt(after).header['kid']).not.toBe(decodeJwt(before).header['kid']);
    await expect.poll(() => introspect(after), { timeout: WAIT_MS }).toMatchObject({ active: true });
    expect(await introspect(before)).toMatchObject({ active: true });
    await admin('PUT', `/components/${earlier.id}`, {
      ...earlier,
      config: { ...earlier.config, enabled: ['false'], active: ['false'] },
    });
    await inactive(before, WITHDRAWN_MS);
  });

  it('revoke by user and by client at Vestibule', async () => {
    const { access_token: token } = await freshLogin();
    const machine = await atKeycloak('token', { grant_type: 'client_credentials', scope: 'orders' });
    expect(await introspect(machine.body.access_token)).toMatchObject({ active: true });
    await revoke({ sub: subOf(token) });
    expect(await introspect(token)).toEqual({ active: false });
    expect(await introspect(machine.body.access_token)).toMatchObject({ active: true });
    await revoke({ client_id: 'web' });
    expect(await introspect(machine.body.access_token)).toEqual({ active: false });
  });

  it('print no secret and no token', async () => {
    const { access_token: token, refresh_token: other } = await shown('4001');
    for (const text of [page.dataFile('master-token'), orders().secret, token, other])
      expect(page.walk.output()).not.toContain(text);
  });
});
