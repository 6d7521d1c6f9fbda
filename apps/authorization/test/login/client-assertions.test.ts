import { LIBRARY_ASSERTIONS, type LibraryAssertion } from '@vestibule/client-auth/testing';
import { JWT_BEARER_ASSERTION_TYPE } from '@vestibule/protocol/constants';
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { buildTestApp, ISSUER } from '../support/build-test-app.js';
import { aVerifier, basicOf, type CodeClient, postForm } from '../support/code-flow.js';

const METADATA = {
  grant_types: ['authorization_code', 'client_credentials'],
  response_types: ['code'],
  scope: 'openid read',
};
const ENDPOINTS = ['/token', '/par', '/token/revoke'] as const;
type Endpoint = (typeof ENDPOINTS)[number];

const pair = await generateKeyPair('ES256');
const jwks = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'ES256' }] };
const nowSeconds = () => Math.floor(Date.now() / 1000);

/** A server and a client that authenticates with assertions. */
async function createFixture(settings = {}, method = 'private_key_jwt') {
  const here = await buildTestApp(settings, false, true);
  const keys = method === 'private_key_jwt' ? { jwks } : {};
  const client = await here.register({ ...METADATA, token_endpoint_auth_method: method, ...keys });
  const assertion = (claims = {}, header: Partial<JWTHeaderParameters> = {}) => {
    const { client_id, client_secret } = client;
    const all = { iss: client_id, sub: client_id, aud: ISSUER, exp: nowSeconds() + 60, ...claims };
    const isKeyed = method === 'client_secret_jwt';
    return new SignJWT({ jti: crypto.randomUUID(), ...all })
      .setProtectedHeader({ alg: isKeyed ? 'HS256' : 'ES256', ...header })
      .sign(isKeyed ? Buffer.from(String(client_secret)) : pair.privateKey);
  };
  const send = (endpoint: Endpoint, client_assertion: string, extra = {}) =>
    requestToken(here, endpoint, client, {
      client_assertion_type: JWT_BEARER_ASSERTION_TYPE,
      client_assertion,
      ...extra,
    });
  return { ...here, client, assertion, send };
}

/** A request that succeeds at an endpoint once the client is authenticated. */
function requestToken(
  { app }: Pick<Awaited<ReturnType<typeof buildTestApp>>, 'app'>,
  endpoint: Endpoint,
  { client_id }: CodeClient,
  proof: Readonly<Record<string, string>>,
) {
  const form = {
    '/token': { grant_type: 'client_credentials', scope: 'read' },
    '/par': {
      response_type: 'code',
      redirect_uri: 'https://app.example/cb',
      scope: 'openid',
      code_challenge: aVerifier().challenge,
      code_challenge_method: 'S256',
    },
    '/token/revoke': { token: 'unknown' },
  }[endpoint];
  return postForm(app, endpoint, { client_id }, { ...form, ...proof });
}

const GOOD = { '/token': 200, '/par': 201, '/token/revoke': 200 };

describe.each(['private_key_jwt', 'client_secret_jwt'])('%s', (method) => {
  it.each(LIBRARY_ASSERTIONS.map((made) => [made.library, made] as const))(
    'of %s is accepted at every endpoint with default settings',
    async (_library, { header, claims }: LibraryAssertion) => {
      const { client, send, assertion } = await createFixture({}, method);
      for (const endpoint of ENDPOINTS) {
        const occasion = { clientId: client.client_id, issuer: ISSUER, tokenEndpoint: `${ISSUER}/token` };
        const made = claims({ ...occasion, nowSeconds: nowSeconds() });
        const { status, body } = await send(endpoint, await assertion(made, header));
        expect(status, `${endpoint} ${JSON.stringify(body)}`).toBe(GOOD[endpoint]);
      }
    },
  );
});

it('accepts the address of the called endpoint in aud, and of no other endpoint', async () => {
  const { send, assertion } = await createFixture();
  for (const called of ENDPOINTS)
    for (const named of ENDPOINTS) {
      const { status } = await send(called, await assertion({ aud: ISSUER + named }));
      const isGood = named === called || named === '/token';
      expect(status, `${named} at ${called}`).toBe(isGood ? GOOD[called] : 401);
    }
});

it('accepts only the issuer in aud with ASSERTION_AUDIENCE=issuer', async () => {
  const { send, assertion } = await createFixture({ ASSERTION_AUDIENCE: 'issuer' });
  for (const endpoint of ENDPOINTS) {
    expect((await send(endpoint, await assertion())).status).toBe(GOOD[endpoint]);
    expect(await send(endpoint, await assertion({ aud: `${ISSUER}/token` }))).toMatchObject({
      status: 401,
      body: { error_description: `client_assertion: aud must be one value: ${ISSUER}` },
    });
  }
});

it.each(ENDPOINTS)(
  'says at %s which claim is wrong and what it must be, also without a valid signature',
  async (endpoint) => {
    const { send, assertion, refusedClients } = await createFixture();
    const called = endpoint === '/token' ? '' : ` or ${ISSUER}${endpoint}`;
    const cases: [claims: object, header: object, reason: string, description: string][] = [
      [
        { aud: 'https://evil.example' },
        {},
        'aud',
        `must be one value: ${ISSUER} or ${ISSUER}/token${called}`,
      ],
      [{ aud: [ISSUER, 'x'] }, {}, 'aud', `must be one value: ${ISSUER} or ${ISSUER}/token${called}`],
      [{ exp: nowSeconds() + 9_999 }, {}, 'exp', 'must be at most 3600 seconds ahead'],
      [{ exp: nowSeconds() - 60 }, {}, 'exp', 'has passed'],
      [{ exp: undefined }, {}, 'exp', 'must be a time in seconds since 1970'],
      [{ iat: nowSeconds() + 300 }, {}, 'iat', 'lies in the future'],
      [{ nbf: nowSeconds() + 300 }, {}, 'nbf', 'lies in the future'],
      [{ iss: 'other' }, {}, 'iss', 'must be the client_id, like sub'],
      [{ jti: undefined }, {}, 'jti', 'is missing; it must be a string that no earlier assertion used'],
      [{}, { typ: 'at+jwt' }, 'type', 'must be JWT or client-authentication+jwt, or absent'],
    ];
    for (const [claims, header, reason, fault] of cases)
      for (const sub of [undefined, 'unknown']) {
        const strange = sub !== undefined && { sub, iss: sub, client_id: sub };
        const made = await assertion({ ...strange, ...claims }, header);
        const { status, body } = await send(endpoint, made, strange && { client_id: sub });
        const description = `client_assertion: ${reason === 'type' ? 'typ' : reason} ${fault}`;
        expect({ status, ...body }, JSON.stringify(claims)).toEqual({
          status: 401,
          error: 'invalid_client',
          error_description: description,
        });
        expect(refusedClients.at(-1)).toMatchObject({
          route: endpoint,
          reason: `assertion_${reason}`,
          detail: expect.stringContaining(description),
        });
      }
  },
);

it.each(ENDPOINTS)('says at %s that sub must be the client_id, if it is missing', async (endpoint) => {
  const { send, assertion, refusedClients } = await createFixture();
  for (const sub of [undefined, null, 5, '', ['x'], {}]) {
    // One client library leaves both claims null if it registered the client itself.
    const made = await assertion({ iss: null, sub });
    expect(await send(endpoint, made, { client_id: '' }), JSON.stringify(sub)).toMatchObject({
      status: 401,
      body: { error: 'invalid_client', error_description: 'client_assertion: sub must be the client_id' },
    });
    expect(refusedClients.at(-1)).toMatchObject({ route: endpoint, reason: 'assertion_malformed' });
  }
});

it.each(ENDPOINTS)('says at %s that a jti was used, to the client only', async (endpoint) => {
  const { send, assertion } = await createFixture();
  const made = await assertion();
  expect((await send(endpoint, made)).status).toBe(GOOD[endpoint]);
  expect((await send(endpoint, made)).body.error_description).toMatch(
    /^client_assertion: jti was used before/,
  );
  const forged = `${made.slice(0, made.lastIndexOf('.'))}.${'A'.repeat(86)}`;
  expect((await send(endpoint, forged)).body.error_description).toBe('client authentication failed');
});

describe.each(ENDPOINTS)('a secret at %s', (endpoint) => {
  const GRANT = { grant_type: 'client_credentials', response_type: 'code', token: 'x', scope: 'read' };

  it('is accepted only by the registered method, which only a caller with the secret learns', async () => {
    const { app, register, refusedClients } = await buildTestApp({}, false, true);
    for (const method of ['client_secret_post', 'client_secret_basic', 'client_secret_jwt']) {
      const client = await register({ ...METADATA, token_endpoint_auth_method: method });
      const { client_id, client_secret = '' } = client;
      const byBasic = (one: CodeClient) =>
        postForm(app, endpoint, { client_id: one.client_id }, GRANT, { authorization: basicOf(one) });
      const byPost = ({ client_id: id, client_secret: secret = '' }: CodeClient) =>
        postForm(app, endpoint, { client_id: id }, { ...GRANT, client_secret: secret });
      const [other, used] =
        method === 'client_secret_basic' ? [byPost, 'client_secret_post'] : [byBasic, 'client_secret_basic'];
      expect(await other(client), method).toMatchObject({
        status: 401,
        body: {
          error: 'invalid_client',
          error_description: `The client is registered for ${method}, but this request used ${used}. Authenticate with ${method}, or register token_endpoint_auth_method: ${used}`,
        },
      });
      expect(refusedClients.at(-1)).toMatchObject({ route: endpoint, reason: 'auth_method' });
      for (const credential of [
        { client_id, client_secret: `${client_secret}x` },
        { client_id: 'x', client_secret },
      ])
        expect(await other(credential)).toMatchObject({
          status: 401,
          body: { error_description: 'client authentication failed' },
        });
    }
  });
});
