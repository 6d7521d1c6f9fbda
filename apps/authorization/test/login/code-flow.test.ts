import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { buildTestApp, ISSUER } from '../support/build-test-app.js';
import {
  authorizationAddress,
  aVerifier,
  exchange,
  logIn,
  postForm,
  tokensOf,
} from '../support/code-flow.js';

const build = () => buildTestApp({}, false, true);
const CODE = { grant_types: ['authorization_code', 'refresh_token'] };
const PUBLIC = { grant_types: ['authorization_code'], token_endpoint_auth_method: 'none' };

it('logs an end-user in, asks for consent and gives tokens for a code', async () => {
  const { app, register, problems, sql } = await build();
  const client = await register({ ...CODE, scope: 'openid read' });
  const { status, body, headers } = await tokensOf(app, client, { scope: 'openid read' });
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 600,
      scope: 'openid read',
      id_token: expect.any(String),
      refresh_token: expect.any(String),
    },
  });
  expect(headers).toMatchObject({ 'cache-control': 'no-store' });
  expect(problems).toEqual([]);
  const [token] = await sql('SELECT subject, username, scope, audience, issuer FROM access_token');
  expect(token).toEqual({
    subject: 'alice',
    username: 'alice',
    scope: 'openid read',
    audience: [],
    issuer: ISSUER,
  });
});

it('restricts cookies to this host and https, and hides them from scripts and other sites', async () => {
  const { app, register } = await build();
  const browser = openBrowser(app);
  const started = await browser.go(authorizationAddress(await register(CODE), aVerifier().challenge));
  const finished = await logInAgain(app, await register(CODE));
  const cookies = [started, ...finished].flatMap(({ headers }) => headers['set-cookie'] ?? []);
  expect(cookies.some((cookie) => cookie.startsWith('__Host-vestibule_session='))).toBe(true);
  expect(cookies.some((cookie) => cookie.startsWith('__Secure-vestibule_interaction.sig='))).toBe(true);
  for (const cookie of cookies)
    expect(cookie).toMatch(
      /^__(?:Host|Secure)-.*; path=\/.*(?=.*; secure)(?=.*; httponly)(?=.*; samesite=lax)/i,
    );
});

async function logInAgain(app: Parameters<typeof openBrowser>[0], client: { readonly client_id: string }) {
  const browser = openBrowser(app);
  const address = authorizationAddress(client, aVerifier().challenge);
  await logIn(browser, address);
  return [await browser.go(address)];
}

it('gives tokens to exactly one of 100 parallel uses of one code', async () => {
  const { app, register, problems } = await build();
  const client = await register(CODE);
  const { verifier, challenge } = aVerifier();
  const landed = await logIn(openBrowser(app), authorizationAddress(client, challenge));
  const responses = await Promise.all(
    Array.from({ length: 100 }, () => exchange(app, client, landed, verifier)),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  const refused = responses.filter(({ status }) => status !== 200);
  expect(refused.every(({ status, body }) => status === 400 && body.error === 'invalid_grant')).toBe(true);
  expect(problems).toEqual([]);
});

it('revokes the tokens of a code when the code is used again', async () => {
  const { app, register, sql } = await build();
  const client = await register(CODE);
  const { verifier, challenge } = aVerifier();
  const landed = await logIn(openBrowser(app), authorizationAddress(client, challenge));
  const { body } = await exchange(app, client, landed, verifier);
  expect((await exchange(app, client, landed, verifier)).body.error).toBe('invalid_grant');
  for (const table of ['access_token', 'refresh_token', '"authorization"'])
    expect(await sql(`SELECT FROM ${table}`)).toEqual([]);
  const refreshed = await postForm(app, '/token', client, {
    grant_type: 'refresh_token',
    refresh_token: body.refresh_token,
  });
  expect(refreshed.body.error).toBe('invalid_grant');
});

it('refuses public clients without PKCE, a wrong verifier and a different redirect URI', async () => {
  const { app, register } = await build();
  const client = await register(PUBLIC);
  const { verifier, challenge } = aVerifier();
  const without = authorizationAddress(client, '', { code_challenge_method: '' });
  const refused = await logIn(openBrowser(app), without);
  expect(refused.searchParams.get('error')).toBe('invalid_request');
  const landed = await logIn(openBrowser(app), authorizationAddress(client, challenge));
  expect((await exchange(app, client, landed, aVerifier().verifier)).body.error).toBe('invalid_grant');
  expect((await exchange(app, client, landed, verifier)).status).toBe(200);
  const elsewhere = await openBrowser(app).go(
    authorizationAddress(client, challenge, { redirect_uri: 'https://app.example/cb?x' }),
  );
  expect(elsewhere).toMatchObject({ status: 400, location: undefined });
  expect(elsewhere.body).toContain('invalid_redirect_uri');
});

it('refuses scope values that the client did not register', async () => {
  const { app, register } = await build();
  const scoped = await register({ ...CODE, scope: 'openid read' });
  const unscoped = await register(CODE);
  for (const [client, scope] of [
    [scoped, 'openid write'],
    [unscoped, 'openid read'],
    [unscoped, `openid ${ISSUER}/token/introspect`],
  ] as const) {
    const landed = await logIn(
      openBrowser(app),
      authorizationAddress(client, aVerifier().challenge, { scope }),
    );
    expect(landed.searchParams.get('error'), scope).toBe('invalid_scope');
  }
});

it('puts consented claims with the prefix and the time of the login into the access token, and no other claims', async () => {
  const { app, register, sql } = await build();
  const claims = JSON.stringify({
    userinfo: {
      'access_token:email': null,
      'access_token:phone_number': null,
      'access_token:unknown': null,
      name: null,
    },
    id_token: { 'access_token:given_name': { essential: true } },
  });
  const { body } = await tokensOf(app, await register(CODE), { claims });
  const [token] = await sql('SELECT claims FROM access_token');
  expect(token?.['claims']).toEqual({
    acr: 'urn:oasis:names:tc:SAML:2.0:ac:classes:Password',
    email: 'alice@example.com',
    phone_number: '+12025550142',
    given_name: 'Alice',
    auth_time: decodeJwt(body.id_token).auth_time ?? expect.any(Number),
  });
  const userinfo = await app.inject({
    url: '/userinfo',
    headers: { authorization: `Bearer ${body.access_token}` },
  });
  expect(userinfo.json()).toEqual({ sub: 'alice', name: 'Alice Quinn Example' });
});

it('gives each sector a different subject, and one sector always the same', async () => {
  const { app, register, sql } = await build();
  const at = async (host: string) => {
    const uri = `https://${host}/cb`;
    const client = await register({ ...CODE, subject_type: 'pairwise', redirect_uris: [uri] });
    const { verifier, challenge } = aVerifier();
    const address = authorizationAddress(client, challenge, { redirect_uri: uri });
    const code = (await logIn(openBrowser(app), address)).searchParams.get('code') ?? '';
    const form = { grant_type: 'authorization_code', code, redirect_uri: uri, code_verifier: verifier };
    const { body } = await postForm(app, '/token', client, form);
    return decodeJwt(body.id_token).sub;
  };
  const subjects = [await at('a.example'), await at('a.example'), await at('b.example')];
  expect(subjects[0]).toMatch(/^[A-Za-z0-9]{32}$/);
  expect(subjects[1]).toBe(subjects[0]);
  expect(subjects[2]).not.toBe(subjects[0]);
  const stored = await sql('SELECT DISTINCT subject FROM access_token');
  expect(new Set(stored.map(({ subject }) => subject))).toEqual(new Set(subjects));
});

it('accepts only a request object that the client signed', async () => {
  const { app, register } = await build();
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', use: 'sig', alg: 'ES256' }] };
  const client = await register({ ...CODE, jwks, request_object_signing_alg: 'ES256' });
  const { verifier, challenge } = aVerifier();
  const query = Object.fromEntries(
    new URLSearchParams(authorizationAddress(client, challenge).split('?')[1]),
  );
  const sign = (key: typeof privateKey) =>
    new SignJWT({ ...query, aud: ISSUER, iss: client.client_id })
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .sign(key);
  const address = (request: string) =>
    `/authorize?${new URLSearchParams({ client_id: client.client_id, request })}`;
  const landed = await logIn(openBrowser(app), address(await sign(privateKey)));
  expect((await exchange(app, client, landed, verifier)).status).toBe(200);
  const other = await generateKeyPair('ES256');
  const refused = await openBrowser(app).go(address(await sign(other.privateKey)));
  expect(new URL(refused.location ?? '').searchParams.get('error')).toBe('invalid_request_object');
});

it('accepts a proof of possession once', async () => {
  const { app, register } = await build();
  const client = await register({
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
  });
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const proof = await new SignJWT({ jti: 'proof', htm: 'POST', htu: `${ISSUER}/token` })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(publicKey) })
    .setIssuedAt()
    .sign(privateKey);
  const use = () => postForm(app, '/token', client, { grant_type: 'client_credentials' }, { dpop: proof });
  const responses = await Promise.all(Array.from({ length: 20 }, use));
  expect(responses.filter(({ status, body }) => status === 200 && body.token_type === 'DPoP')).toHaveLength(
    1,
  );
  expect(responses.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(19);
});

it('ends tokens with the session unless offline_access was granted', async () => {
  const { app, register, sql, store } = await build();
  const session = {
    backchannel_logout_uri: 'https://app.example/out',
    backchannel_logout_session_required: true,
  };
  const client = await register({ ...CODE, ...session });
  const browser = openBrowser(app);
  const bound = await tokensOf(app, client, {}, browser);
  const offline = { scope: 'openid offline_access', prompt: 'consent' };
  const lasting = await tokensOf(app, client, offline, browser);
  const { sid } = decodeJwt(bound.body.id_token);
  expect(await sql('SELECT sid FROM session_client')).toEqual([{ sid }]);
  expect(await store.database.providerRecords.sessions.end(String(sid), 1_900_000_000 as never)).toBe(true);
  const refresh = ({ body }: typeof bound) =>
    postForm(app, '/token', client, { grant_type: 'refresh_token', refresh_token: body.refresh_token });
  expect(await refresh(bound)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect(await refresh(lasting)).toMatchObject({ status: 200 });
  expect(await sql('SELECT uri, sid, subject FROM logout_delivery')).toEqual([
    { uri: 'https://app.example/out', sid, subject: 'alice' },
  ]);
});

it('stores nothing in the database that a browser or a client could use', async () => {
  const { app, register, sql } = await build();
  const client = await register(CODE);
  const browser = openBrowser(app);
  const { verifier, challenge } = aVerifier();
  const seen = new Set<string>();
  const note = () => {
    for (const { value } of browser.cookies()) seen.add(value);
  };
  await browser.go(authorizationAddress(client, challenge));
  note();
  const landed = await logIn(browser, authorizationAddress(client, challenge));
  note();
  const pushed = await postForm(app, '/par', client, {
    response_type: 'code',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    scope: 'openid',
    redirect_uri: 'https://app.example/cb',
  });
  const { body } = await exchange(app, client, landed, verifier);
  for (const secret of [
    landed.searchParams.get('code'),
    body.access_token,
    body.refresh_token,
    pushed.body.request_uri?.split(':').at(-1),
    client.client_secret,
  ])
    seen.add(String(secret));
  expect(seen.size).toBeGreaterThan(8);
  const tables = await sql(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  for (const { name } of tables) {
    const dump = JSON.stringify(await sql(`SELECT row_to_json(t)::text AS row FROM "${name}" t`));
    for (const secret of seen) expect(dump.includes(secret), `${name} ${secret}`).toBe(false);
  }
});

it('builds its addresses from the issuer with its path, whatever host a request names', async () => {
  const { app, register } = await buildTestApp({ BASE_URL: `${ISSUER}/op` }, false, true);
  const client = await register(CODE);
  const response = await app.inject({
    url: authorizationAddress(client, aVerifier().challenge),
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
  });
  expect(response.headers.location).toMatch(/^\/op\/interaction\/[\w-]+$/);
  const paths = response.cookies.map(({ path }) => path?.replace(/[\w-]+$/, 'uid'));
  expect(new Set(paths)).toEqual(new Set(['/op/interaction/uid', '/op/authorize/uid']));
});
