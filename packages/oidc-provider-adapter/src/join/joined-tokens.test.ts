import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createTestDatabase } from '@vestibule/testkit';
import { storeClient } from '@vestibule/testkit/logins';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';
import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { UnsignedJwt } from '../jwt-customizer.js';
import { joinProvider } from './join-provider.js';

const ISSUER = 'https://as.example';
const API = 'https://api.example';

/** Plain SQL on a database. A connection may still be closing when the database is dropped. */
function openPool(connectionString: string): pg.Pool {
  return new pg.Pool({ connectionString, max: 1 }).on('error', () => undefined);
}

type Customizer = (context: unknown, token: object, jwt: UnsignedJwt) => void;

const addClaim: Customizer = (_context, _token, jwt) => {
  jwt.payload['added'] = 'by the team';
};

/** What the library asks about a resource server. */
interface ResourceIndicators {
  getResourceServerInfo(
    context: object,
    indicator: string,
    client: object,
  ): Promise<{ readonly scope: string }>;
}

/** What a team may set up. */
interface Deviations {
  readonly customize?: Customizer;
  /** Called with each new provider. */
  readonly prepare?: (provider: Provider) => void;
}

/** A provider of a team with its own hooks, and a client of it that registered the scope `read`. */
async function createFixture({ customize = addClaim, prepare = () => undefined }: Deviations = {}) {
  const problems: string[] = [];
  let resourceIndicators: ResourceIndicators | undefined;
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const pool = openPool(url);
  onTestFinished(() => pool.end());
  const joined = await joinProvider({
    issuer: ISSUER,
    databaseUrl: url,
    encryptionKeys: randomBytes(32).toString('base64url'),
    openTimeoutMs: 60_000,
    configuration: {
      scopes: ['openid', 'read', 'write'],
      clientDefaults: { id_token_signed_response_alg: 'ES256' },
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        revocation: { enabled: true },
        resourceIndicators: {
          enabled: true,
          defaultResource: async () => undefined,
          getResourceServerInfo: async () => ({
            scope: 'read write delete',
            audience: API,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
          }),
        },
      },
      extraTokenClaims: async () => ({ tenant: 'acme' }),
      formats: {
        customizers: {
          jwt: async (...parameters: Parameters<Customizer>) => customize(...parameters),
        },
      },
    },
    createProvider: (configuration) => {
      resourceIndicators = configuration.features.resourceIndicators;
      const provider = new Provider(ISSUER, configuration);
      prepare(provider);
      return provider;
    },
    onProblem: (problem) => problems.push(problem),
  });
  onTestFinished(joined.close);
  const server = createServer(joined.callback()).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  await storeClient(pool, 'api-client', {
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', use: 'sig' }] },
    scope: 'read',
  });
  const post = async (path: string, form: Readonly<Record<string, string>>) => {
    const assertion = await new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .setIssuer('api-client')
      .setSubject('api-client')
      .setAudience(ISSUER)
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(privateKey);
    const body = new URLSearchParams({
      ...form,
      client_id: 'api-client',
      client_assertion: assertion,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    });
    const response = await fetch(base + path, { method: 'POST', body });
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
  };
  const request = (form: Readonly<Record<string, string>>) =>
    post('/token', { grant_type: 'client_credentials', ...form });
  /** The scope values of the API that a client may get in a request with these parameters. */
  const scopeOf = async (client: object, params: object = {}) =>
    (await resourceIndicators?.getResourceServerInfo({ oidc: { params } }, API, client))?.scope;
  return { pool, post, request, problems, base, scopeOf };
}

it('lets any client request the scope values that a resource server declares, for an end-user', async () => {
  const { pool, request, scopeOf } = await createFixture();
  const registered = { registered_scope: 'read' };
  expect(await scopeOf(registered)).toBe('read');
  await storeClient(pool, 'api', {
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    resource_identifiers: [API],
    resource_scopes: 'delete export',
  });
  expect(await scopeOf(registered)).toBe('read delete export');
  expect(await scopeOf({})).toBe('read write delete export');
  expect(await scopeOf({ registered_scope: 'other' })).toBe('delete export');
  expect(await scopeOf(registered, { grant_type: 'client_credentials' })).toBe('read');
  const { body } = await request({ scope: 'read delete', resource: API });
  expect(body).toMatchObject({ scope: 'read' });
  await pool.query("UPDATE client SET status = 'suspended' WHERE id = 'api'");
  expect(await scopeOf(registered)).toBe('read');
});

it('stores the claims of the team with a token, for introspection, and records the use of the client', async () => {
  const { pool, request } = await createFixture();
  expect(await request({ scope: 'read' })).toMatchObject({ status: 200, body: { scope: 'read' } });
  const { rows } = await pool.query('SELECT client_id, scope, issuer, claims FROM access_token');
  expect(rows).toEqual([
    { client_id: 'api-client', scope: 'read', issuer: ISSUER, claims: { tenant: 'acme' } },
  ]);
  await vi.waitFor(
    async () =>
      expect((await pool.query('SELECT FROM client WHERE last_used_at IS NOT NULL')).rowCount).toBe(1),
    60_000,
  );
});

it('gives a client no scope that it did not register, of the server or of a resource server', async () => {
  const { request } = await createFixture();
  expect(await request({ scope: 'write' })).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
  const refused = await request({ scope: 'read write', resource: API });
  expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
  // The library itself knows no scope values of resource servers only.
  const permitted = await request({ scope: 'read delete', resource: API });
  expect(decodeJwt(permitted.body.access_token)['scope']).toBe('read');
});

it('signs self-contained tokens with the shared keys, with what the team adds to them', async () => {
  const { request } = await createFixture();
  const { body } = await request({ scope: 'read', resource: API });
  expect(decodeJwt(body.access_token)).toMatchObject({
    iss: ISSUER,
    aud: [API],
    client_id: 'api-client',
    tenant: 'acme',
    added: 'by the team',
  });
});

it('revokes self-contained tokens too at the revocation endpoint of the library', async () => {
  const { pool, request, post } = await createFixture();
  const { body } = await request({ scope: 'read', resource: API });
  expect((await post('/token/revocation', { token: body.access_token })).status).toBe(200);
  const { jti } = decodeJwt(body.access_token);
  expect((await pool.query('SELECT jti FROM revoked_token')).rows).toEqual([{ jti }]);
});

it.each<[string, string, Customizer]>([
  ['another jti', 'jti', (_context, _token, { payload }) => Object.assign(payload, { jti: 'theirs' })],
  ['a longer life', 'exp', (_context, _token, { payload }) => Object.assign(payload, { exp: 4_000_000_000 })],
  ['a later issue', 'iat', (_context, _token, { payload }) => Object.assign(payload, { iat: 4_000_000_000 })],
  [
    'another client',
    'client_id',
    (_context, _token, { payload }) => Object.assign(payload, { client_id: 'x' }),
  ],
  ['another subject', 'sub', (_context, _token, { payload }) => Object.assign(payload, { sub: 'x' })],
  ['a session', 'sid', (_context, _token, { payload }) => Object.assign(payload, { sid: 'x' })],
  ['another issuer', 'iss', (_context, _token, { payload }) => Object.assign(payload, { iss: 'https://x' })],
  ['another type', 'header.typ', (_context, _token, jwt) => Object.assign(jwt, { header: { typ: 'jwt' } })],
  ['another key', 'header.kid', (_context, _token, jwt) => Object.assign(jwt, { header: { kid: 'x' } })],
  [
    'no claims of ours',
    'iss, sub, client_id, iat, iat_clock, exp, jti',
    (_context, _token, jwt) => Object.assign(jwt, { payload: { aud: API } }),
  ],
])('issues no self-contained token to which the team gives %s, and names the claims', async (...row) => {
  const [, names, customize] = row;
  const { request, problems } = await createFixture({ customize });
  for (let time = 0; time < 2; time += 1)
    expect(await request({ scope: 'read', resource: API })).toEqual({
      status: 500,
      body: { error: 'server_error', error_description: 'oops! something went wrong' },
    });
  expect(problems.filter((problem) => problem.startsWith('formats.'))).toEqual([
    expect.stringContaining(`formats.customizers.jwt: must not change ${names}, because revocation`),
  ]);
  expect((await request({ scope: 'read' })).status).toBe(200);
});

it('responds, and records the use of the client, whatever the listeners of the team do', async () => {
  const { pool, request, problems } = await createFixture({
    prepare: (provider) =>
      provider.on('grant.success', () => {
        throw new Error('metrics are away');
      }),
  });
  expect((await request({ scope: 'read', resource: API })).status).toBe(200);
  await vi.waitFor(
    async () =>
      expect((await pool.query('SELECT FROM client WHERE last_used_at IS NOT NULL')).rowCount).toBe(1),
    60_000,
  );
  expect(problems).toContainEqual(
    'createProvider: a listener of grant.success failed; the response does not depend on it: metrics are away',
  );
});

it('names the addresses of its issuer, whatever a request claims to have been sent to', async () => {
  const { base } = await createFixture({ prepare: (provider) => Object.assign(provider, { proxy: true }) });
  const response = await fetch(`${base}/.well-known/openid-configuration`, {
    headers: {
      'x-forwarded-host': 'other.example',
      'x-forwarded-proto': 'http',
      forwarded: 'host=other.example',
    },
  });
  expect(await response.json()).toMatchObject({
    token_endpoint: `${ISSUER}/token`,
    jwks_uri: `${ISSUER}/jwks`,
  });
});
