import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VESTIBULE } from './walk/built-programs.js';
import { type BrowserPage, openCookieBrowser } from './walk/cookie-browser.js';
import { openPageFixture, type PageFixture } from './walk/page-fixture.js';
import type { RunCommand } from './walk/walk-page.js';

/** The ports of the page: gateway, your server, services, applications. */
const PORTS = ['3000', '3001', '8080', '4001', '4002', '4003'];
const CONNECT = '3. Connect your server';
const WAIT_MS = 60_000;
const SHOP = ['shop', 'shop-secret-of-at-least-32-characters'] as const;

interface Shown {
  readonly user: string | null;
  readonly access_token?: string;
}

interface Row {
  readonly token: string;
  readonly kind: string;
  readonly client_id: string;
}

describe('the page on joining over HTTP', () => {
  let page: PageFixture;
  let server: RunCommand;
  let earlier: string;
  const browser = openCookieBrowser();
  const issuer = () => page.address('3000');
  const shown = async (port: string): Promise<Shown> =>
    JSON.parse((await browser.open(page.address(port))).text);
  const signIn = (login: BrowserPage) => browser.submit(login, { name: 'ada', password: 'lovelace' });
  const logIn = (port: string) => browser.open(`${page.address(port)}/login`);
  const users = async () => [(await shown('4001')).user, (await shown('4002')).user];
  const tokenAt = async (port: string) => (await shown(port)).access_token ?? '';
  const bothLoggedOut = () => expect.poll(users, { timeout: WAIT_MS }).toEqual([null, null]);
  const logOutAt = async (port: string) => {
    const confirmation = await browser.open(`${page.address(port)}/logout`);
    expect(confirmation.url.pathname).toBe('/logout');
    return browser.submit(confirmation, { decision: 'accept' });
  };
  /** Logs the user in at both applications with one password. */
  const logInAtBoth = async () => {
    await signIn(await logIn('4001'));
    expect((await logIn('4002')).url.href).toBe(`${page.address('4002')}/`);
    expect(await users()).toEqual(['ada', 'ada']);
  };
  const basic = ([id, secret]: readonly [string, string]) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  });
  const form = async (path: string, body: Record<string, string>, headers: Record<string, string> = {}) => {
    const response = await fetch(issuer() + path, {
      method: 'POST',
      headers,
      body: new URLSearchParams(body),
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  };
  const introspect = async (token: string) => {
    const { client_id: id, client_secret: secret } = JSON.parse(page.read('resource-server.json'));
    return (await form('/token/introspect', { token }, basic([id, secret]))).body;
  };
  const atServices = (path: string, body: object, method = 'POST') =>
    fetch(page.address('8080') + path, {
      method,
      headers: {
        authorization: `Bearer ${page.dataFile('master-token')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
  /** How far the server of the page has accepted changes, once it has accepted the first `reset`. */
  const firstReset = () => page.query('SELECT receiver FROM change_delivery WHERE event_id IS NOT NULL');
  const start = (environment = '') =>
    page.walk.start(`${environment}\nMASTER_TOKEN_FILE=$DATA_DIR/master-token exec node server.js`);
  /** Restarts the server of the page, as its files are now. */
  const restart = async () => {
    await server.stop();
    server = start();
    await expect.poll(server.output, { timeout: WAIT_MS }).toContain('listens on port');
  };
  const inspect = async (token: string): Promise<string> => {
    page.walk.write('inspected.txt', token);
    const command = page.walk.start(
      `set -a; . ./services.env; set +a\n${VESTIBULE} tokens inspect < inspected.txt`,
    );
    await command.ended;
    return command.output();
  };

  beforeAll(async () => {
    page = await openPageFixture('join-over-http.md', PORTS, '8080');
  });

  afterAll(() => page.close());

  it('starts with an authorization server that works by itself', async () => {
    await page.walk.section('Before');
    const before = page.walk.start('node server.js');
    await expect.poll(before.output, { timeout: WAIT_MS }).toContain('listens on port');
    const [CLIENT_ID, CLIENT_SECRET] = SHOP;
    const shop = page.walk.start(`node app.js ${new URL(page.address('4001')).port}`, {
      CLIENT_ID,
      CLIENT_SECRET,
    });
    await expect.poll(shop.output, { timeout: WAIT_MS }).toContain('shop listens at');
    const login = await logIn('4001');
    expect((await browser.submit(login, { name: 'ada', password: 'wrong' })).text).toContain('password');
    await signIn(login);
    expect((await shown('4001')).user).toBe('ada');
    earlier = await tokenAt('4001');
    await shop.stop();
    await before.stop();
  });

  it.each([
    '1. Start the services',
    '2. Import the clients',
    CONNECT,
    '4. Put the gateway in front',
    '5. Import the tokens that you issued before',
    '6. Log in',
  ])('works as written: %s', async (heading) => {
    await page.walk.section(heading);
    if (heading !== CONNECT) return;
    server = page.walk.background(CONNECT);
    // It ends the sessions that it finds. The services wait for at most a minute until they send it again.
    await expect.poll(firstReset, { timeout: 2 * WAIT_MS }).toHaveLength(1);
  });

  it('signs a user in at two applications with one login', async () => {
    await logInAtBoth();
  });

  it('introspects a token of the team’s server, one from before and one that a refresh token gave', async () => {
    await page.walk.section('7. Introspect a token');
    expect(await introspect(earlier)).toMatchObject({ active: true, client_id: 'shop', sub: 'ada' });
    const first = await tokenAt('4001');
    await browser.open(`${page.address('4001')}/refresh`);
    const second = await tokenAt('4001');
    expect(second).not.toBe(first);
    expect(await introspect(second)).toMatchObject({ active: true, scope: 'openid read' });
  });

  it('imports thousands of tokens with the command of the page, and again without a change', async () => {
    const now = Math.floor(Date.now() / 1000);
    const rows = Array.from({ length: 5_000 }, (_, index) => {
      const token = `bulk-token-${String(index).padStart(32, '0')}`;
      return [token, { token, kind: 'access', client_id: 'mail', sub: 'grace', iat: now, exp: now + 3_600 }];
    });
    const table = page.read('tokens.json');
    page.walk.write('tokens.json', JSON.stringify(rows));
    const heading = '5. Import the tokens that you issued before';
    await page.walk.section(heading);
    expect(page.read('imported.ndjson').match(/"result":"stored"/g)).toHaveLength(rows.length);
    await expect(page.walk.section(heading)).rejects.toThrow();
    expect(page.read('imported.ndjson').match(/"result":"unchanged"/g)).toHaveLength(rows.length);
    page.walk.write('tokens.json', table);
    expect(await introspect(`bulk-token-${'4999'.padStart(32, '0')}`)).toMatchObject({ sub: 'grace' });
  });

  it('logs out at both applications when one logs out, by back channel, and the login and its tokens end', async () => {
    const rows: readonly (readonly [string, Row])[] = JSON.parse(page.read('tokens.json'));
    const [, refresh] = rows.findLast(([, row]) => row.kind === 'refresh' && row.client_id === 'shop') ?? [];
    expect((await logOutAt('4001')).url.href).toBe(`${page.address('4001')}/`);
    await bothLoggedOut();
    await page.walk.section('8. Log out everywhere');
    expect((await logIn('4002')).text).toContain('type="password"');
    const body = { grant_type: 'refresh_token', refresh_token: refresh?.token ?? '' };
    expect(await form('/token', body, basic(SHOP))).toEqual({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  it('logs out at both applications when the user logs out at the team’s server', async () => {
    await logInAtBoth();
    const token = await tokenAt('4002');
    const account = await browser.open(issuer());
    expect((await browser.submit(account, {})).text).toContain('logged out');
    await bothLoggedOut();
    expect(await introspect(token)).toEqual({ active: false });
  });

  it('ends a token that a client revokes at the team’s server', async () => {
    await logInAtBoth();
    const token = await tokenAt('4001');
    const mail = ['mail', 'mail-secret-of-at-least-32-characters'] as const;
    expect((await form('/revoke', { token }, basic(mail))).status).toBe(200);
    expect(await introspect(token)).toMatchObject({ active: true });
    expect((await form('/revoke', { token }, basic(SHOP))).status).toBe(200);
    expect(await introspect(token)).toEqual({ active: false });
  });

  it('signs the user in at a client that registered at /clients, until it is suspended', async () => {
    await page.walk.section('9. Register a client');
    await logIn('4003');
    expect((await shown('4003')).user).toBe('ada');
    const { client_id: id } = JSON.parse(page.read('notes.json'));
    await atServices(`/clients/${id}/status`, { status: 'suspended' }, 'PUT');
    expect((await logIn('4003')).text).toContain('not registered');
    await atServices(`/clients/${id}/status`, { status: 'active' }, 'PUT');
    await logIn('4003');
  });

  it('authenticates clients by assertion, and public ones without a secret', async () => {
    page.walk.write('assertion.js', ASSERTION);
    const command = page.walk.start(
      `node assertion.js ${page.address('8080')} ${issuer()} "$DATA_DIR/master-token"`,
    );
    expect([await command.ended, command.output()]).toEqual([
      0,
      '400 invalid_grant\n401 invalid_client\n401 invalid_client\n400 invalid_grant\n',
    ]);
  });

  it('delivers logouts that are signed with rotated keys', async () => {
    const kid = async () =>
      (
        await page.query(
          `SELECT kid FROM signing_key WHERE state = 'active' AND algorithm = 'RS256' AND key_set = 'provider'`,
        )
      )[0]?.['kid'];
    const previous = await kid();
    await page.walk.section('10. Rotate the keys');
    expect(await kid()).not.toBe(previous);
    await logOutAt('4001');
    await bothLoggedOut();
  });

  it('ends the login at the team’s server at once when an operator ends the session, also after the rotation', async () => {
    await logInAtBoth();
    expect((await browser.open(issuer())).text).toContain('<p>ada</p>');
    const [session] = await page.query(`SELECT id FROM session WHERE subject = 'ada'`);
    const { status } = await fetch(`${page.address('8080')}/direct-authz/sessions/${session?.['id']}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${page.dataFile('master-token')}` },
    });
    expect(status).toBe(204);
    await expect
      .poll(async () => (await browser.open(issuer())).text, { timeout: WAIT_MS })
      .toContain('logged out');
    await bothLoggedOut();
  });

  it('keeps clients that are used at the team’s server when unused ones are pruned', async () => {
    const response = await atServices('/clients', { redirect_uris: ['https://unused.example/cb'] });
    const { client_id: unused } = (await response.json()) as { readonly client_id: string };
    // Only recorded uses protect the others: what was issued to them is gone.
    for (const table of ['access_token', 'refresh_token', 'imported_token'])
      await page.query(`DELETE FROM ${table}`);
    await page.query(`UPDATE client SET issued_at = issued_at - interval '90 days'`);
    const prune = page.walk.start(
      `${VESTIBULE} clients prune --unused-days 30 --origin registration import --yes`,
    );
    expect([await prune.ended, prune.output()]).toEqual([0, expect.stringContaining(unused)]);
    const left = (await page.query('SELECT id FROM client')).map(({ id }) => id);
    const { client_id: notes } = JSON.parse(page.read('notes.json'));
    expect(left).toEqual(expect.arrayContaining(['shop', 'mail', notes]));
    expect(left).not.toContain(unused);
  });

  describe('with tokens of another kind', () => {
    let opaque: string;
    beforeAll(() => {
      opaque = page.walk.file('tokens.js');
    });
    const use = async (change: (text: string) => string): Promise<string> => {
      page.walk.write('tokens.js', change(page.walk.file('tokens.js')));
      await restart();
      await logInAtBoth();
      return tokenAt('4001');
    };

    it('introspects JWT access tokens that the team signs, which end with a logout and a revocation', async () => {
      await page.walk.section('If your access tokens are JWTs');
      const token = await use((text) => text);
      expect(await introspect(token)).toMatchObject({
        active: true,
        client_id: 'shop',
        scope: 'openid read',
      });
      const other = await tokenAt('4002');
      expect((await form('/revoke', { token }, basic(SHOP))).status).toBe(200);
      expect([await introspect(token), (await introspect(other)).active]).toEqual([{ active: false }, true]);
      await logOutAt('4001');
      await bothLoggedOut();
      expect(await introspect(other)).toEqual({ active: false });
    });

    it('names the reason why a JWT is inactive: its type, its audience, its issuer', async () => {
      const jwts = page.walk.file('tokens.js');
      const untyped = await use((text) => text.replace(`header: { typ: 'at+jwt' },`, ''));
      expect([await introspect(untyped), await inspect(untyped)]).toEqual([
        { active: false },
        expect.stringMatching(/reason +not_ours\n.*typ.*JWT.*at\+jwt/),
      ]);
      page.walk.write('tokens.js', jwts);
      const foreign = await use((text) =>
        text.replace(`subject: sub,`, `subject: sub,\n    audience: 'https://api.example',`),
      );
      expect([await introspect(foreign), await inspect(foreign)]).toEqual([
        { active: false },
        expect.stringMatching(/active +yes[\s\S]*aud +.*https:\/\/api\.example/),
      ]);
    });

    it('hands out tokens that the services issue, with the claims of the login', async () => {
      page.walk.write('tokens.js', opaque);
      await page.walk.section('If the services issue your tokens');
      const token = await use((text) => text);
      expect(await introspect(token)).toMatchObject({ active: true, client_id: 'shop', sub: 'ada' });
      const confirmation = await browser.open(`${page.address('4001')}/logout`);
      const [, claims = ''] = confirmation.url.searchParams.get('id_token_hint')?.split('.') ?? [];
      expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
        iss: issuer(),
        aud: 'shop',
        nonce: expect.any(String),
        auth_time: expect.any(Number),
        acr: 'password',
        amr: ['pwd'],
        sid: expect.any(String),
      });
      await browser.submit(confirmation, { decision: 'accept' });
      await bothLoggedOut();
      page.walk.write('tokens.js', opaque);
      await restart();
    });
  });

  it('serves every request of the page with curl', async () => {
    await page.walk.section('Every request with curl');
  });
});

/** Prints what the token endpoint responds to a client with a key (right, replayed, wrong) and to a public client. */
const ASSERTION = `
import { readFileSync } from 'node:fs';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

const [services, issuer, master] = process.argv.slice(2);
const { privateKey, publicKey } = await generateKeyPair('RS256');
const { privateKey: wrongKey } = await generateKeyPair('RS256');
const register = async (metadata) => {
  const response = await fetch(services + '/clients', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + readFileSync(master, 'utf8').trim(), 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: ['http://localhost/cb'],
      grant_types: ['authorization_code', 'refresh_token'],
      ...metadata,
    }),
  });
  return (await response.json()).client_id;
};
const keyed = await register({
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256' }] },
});
const assertion = (key) =>
  new SignJWT({})
    .setProtectedHeader({ alg: 'RS256', kid: 'k' })
    .setIssuer(keyed)
    .setSubject(keyed)
    .setAudience(issuer + '/token')
    .setJti(crypto.randomUUID())
    .setExpirationTime('1m')
    .sign(key);
const ask = async (body) => {
  const form = { grant_type: 'refresh_token', refresh_token: 'unknown', ...body };
  const response = await fetch(issuer + '/token', { method: 'POST', body: new URLSearchParams(form) });
  console.log(response.status, (await response.json()).error);
};
const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const right = { client_assertion_type: type, client_assertion: await assertion(privateKey) };
await ask(right);
await ask(right);
await ask({ client_assertion_type: type, client_assertion: await assertion(wrongKey) });
await ask({ client_id: await register({ token_endpoint_auth_method: 'none' }) });
`;
