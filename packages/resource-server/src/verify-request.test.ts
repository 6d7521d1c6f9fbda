import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { json, startProgrammedServer } from './testing/authorization-server.js';
import {
  active,
  aRequest,
  aResourceServer,
  bearer,
  RESOURCE,
  summary,
  TOKEN,
} from './testing/resource-server-fixture.js';

const METADATA = 'resource_metadata="https://api.example/.well-known/oauth-protected-resource/orders"';
const DPOP = 'DPoP algs="ES256 ES384 EdDSA Ed25519 PS256 RS256"';
const NOW = Date.UTC(2026, 5, 1, 12) / 1000;
const DPOP_CHALLENGE = `${DPOP}, ${METADATA}`;

describe('an accepted request', () => {
  it('has an active token for this API with the scope, and gets its members', async () => {
    const members = active({ exp: 1_800_000_000, cnf: undefined, username: 'Alice' });
    const authorizationServer = await startProgrammedServer(json(members));
    const { server } = aResourceServer(authorizationServer.url);
    expect(await server.verify(bearer(), { scope: 'orders:read' })).toEqual({
      outcome: 'accepted',
      token: {
        claims: JSON.parse(JSON.stringify(members)),
        subject: 'alice',
        clientId: 'app',
        scope: ['orders:read'],
        audience: [RESOURCE],
        expiresAt: 1_800_000_000,
        notBefore: undefined,
        confirmation: {},
      },
    });
    const [asked] = authorizationServer.requests;
    expect(asked?.headers.authorization).toMatch(/^Basic /);
    expect(asked?.form.toString()).toBe(`token=${TOKEN}&token_type_hint=access_token`);
  });

  it('may have several scope values, of which all required ones must be there', async () => {
    const authorizationServer = await startProgrammedServer(json(active({ scope: 'a b  c' })));
    const { server } = aResourceServer(authorizationServer.url);
    const outcome = async (scope?: string) =>
      summary(await server.verify(bearer(), scope === undefined ? {} : { scope }));
    for (const scope of [undefined, '', 'a', 'c', 'c a', 'a  b'])
      expect(await outcome(scope)).toBe('accepted');
    for (const scope of ['d', 'a d', 'A', 'a b d', 'ab']) expect(await outcome(scope)).toBe('403 scope');
  });

  it('may name the API with or without a slash at the end', async () => {
    const authorizationServer = await startProgrammedServer(json(active({ aud: `${RESOURCE}/` })));
    const { server } = aResourceServer(authorizationServer.url);
    expect(summary(await server.verify(bearer()))).toBe('accepted');
  });

  it('needs no audience where the configuration says so', async () => {
    const authorizationServer = await startProgrammedServer(json({ active: true }));
    const resource = { identifier: RESOURCE, audience: 'unchecked' } as const;
    const { server } = aResourceServer(authorizationServer.url, { resource });
    expect(summary(await server.verify(bearer()))).toBe('accepted');
  });
});

describe('a refused request', () => {
  it('without a token gets challenges without an error (RFC 6750 section 3.1)', async () => {
    const { server } = aResourceServer('http://127.0.0.1:1');
    expect(await server.verify(aRequest({}), { scope: 'orders:read' })).toEqual({
      outcome: 'refused',
      reason: 'no_token',
      status: 401,
      headers: {
        'WWW-Authenticate': `Bearer scope="orders:read", ${METADATA}, ${DPOP}, scope="orders:read", ${METADATA}`,
        'Cache-Control': 'no-store',
      },
      body: '',
    });
  });

  it('with an inactive token gets invalid_token', async () => {
    const authorizationServer = await startProgrammedServer(json({ active: false }));
    const { server } = aResourceServer(authorizationServer.url);
    const description = 'The access token is not active';
    expect(await server.verify(bearer())).toEqual({
      outcome: 'refused',
      reason: 'inactive',
      status: 401,
      headers: {
        'WWW-Authenticate': `Bearer error="invalid_token", error_description="${description}", ${METADATA}, ${DPOP_CHALLENGE}`,
        'Cache-Control': 'no-store',
        'Content-Type': 'application/json',
      },
      body: `{"error":"invalid_token","error_description":"${description}"}`,
    });
  });

  it('without the scope gets 403 with the scope that it needs', async () => {
    const authorizationServer = await startProgrammedServer(json(active()));
    const { server } = aResourceServer(authorizationServer.url);
    const refused = await server.verify(bearer(), { scope: 'orders:write' });
    expect(refused).toMatchObject({ status: 403, reason: 'scope' });
    expect(refused).toHaveProperty(
      'headers.WWW-Authenticate',
      expect.stringMatching(
        /^Bearer error="insufficient_scope", .*, scope="orders:write", resource_metadata=/,
      ),
    );
  });

  it.each([
    ['several headers', ['Bearer one', 'Bearer two'], '400 ambiguous'],
    ['a malformed token', 'Bearer one two', '401 malformed'],
    ['the scheme DPoP without a proof', `DPoP ${TOKEN}`, '401 proof'],
  ])('with %s is not introspected', async (_what, authorization, expected) => {
    const authorizationServer = await startProgrammedServer(json(active()));
    const { server } = aResourceServer(authorizationServer.url);
    expect(summary(await server.verify(aRequest({ authorization })))).toBe(expected);
    expect(authorizationServer.requests).toEqual([]);
  });

  it.each([
    ['expired in this second', { exp: NOW }, '401 expired'],
    ['that expires in the next second', { exp: NOW + 1 }, 'accepted'],
    ['not valid before the next second', { nbf: NOW + 1 }, '401 not_yet_valid'],
    ['valid from this second on', { nbf: NOW }, 'accepted'],
    ['for another API', { aud: ['https://other.example'] }, '401 audience'],
    ['for an API whose name starts alike', { aud: `${RESOURCE}/admin` }, '401 audience'],
    ['without an audience', { aud: undefined }, '401 audience'],
    ['bound to a certificate', { cnf: { 'x5t#S256': 'A'.repeat(43) } }, '401 binding'],
    ['bound to a DPoP key', { cnf: { jkt: 'A'.repeat(43) } }, '401 binding'],
    ['bound in an unknown way', { cnf: { kid: 'k1' } }, '401 binding'],
    ['without the scope and expired', { exp: NOW, scope: '' }, '401 expired'],
  ])('has a token %s', async (_what, members, expected) => {
    const authorizationServer = await startProgrammedServer(json(active(members)));
    const { server } = aResourceServer(authorizationServer.url);
    expect(summary(await server.verify(bearer(), { scope: 'orders:read' }))).toBe(expected);
  });

  it('tolerates the configured clock skew', async () => {
    const members = active({ exp: NOW - 4, nbf: NOW + 5 });
    const authorizationServer = await startProgrammedServer(json(members));
    const { server, clock } = aResourceServer(authorizationServer.url, { clockSkewSeconds: 5 });
    expect(summary(await server.verify(bearer()))).toBe('accepted');
    clock.advanceSeconds(1);
    expect(summary(await server.verify(bearer()))).toBe('401 expired');
  });

  it('never has text of the request in its response, and never rejects', async () => {
    const authorizationServer = await startProgrammedServer(json({ active: false }));
    const { server } = aResourceServer(authorizationServer.url);
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.base64String()).map((each) => `zq9${each}`);
    const scheme = fc.constantFrom('Bearer ', 'DPoP ', 'Basic ', '');
    await fc.assert(
      fc.asyncProperty(scheme, text, text, async (name, token, dpop) => {
        const refused = await server.verify(aRequest({ authorization: name + token, dpop }, { url: token }));
        expect(refused.outcome).toBe('refused');
        expect(JSON.stringify(refused)).not.toContain('zq9');
      }),
      { numRuns: 200 },
    );
  });
});

describe('a request with a cached bearer token', () => {
  const aMemory = async (members = {}) => {
    const authorizationServer = await startProgrammedServer(json(active(members)));
    const fixture = aResourceServer(authorizationServer.url, { cache: { lifetimeSeconds: 60 } });
    const counted = () =>
      ['resource_server_requests_total', 'resource_server_cache_hits_total'].map((name) =>
        fixture.server.metrics.all
          .find((metric) => metric.name === name)
          ?.read()
          .reduce((sum, { value }) => sum + value, 0),
      );
    return { ...fixture, counted, authorizationServer };
  };

  it('is accepted without waiting, with the same result, and counted', async () => {
    const { server, counted } = await aMemory();
    expect(server.verifyCached(bearer(), { scope: 'orders:read' })).toBeUndefined();
    const verified = await server.verify(bearer(), { scope: 'orders:read' });
    expect(counted()).toEqual([1, 0]);
    expect(server.verifyCached(bearer(), { scope: 'orders:read' })).toEqual(
      await server.verify(bearer(), { scope: 'orders:read' }),
    );
    expect(server.verifyCached(bearer())).toEqual(verified);
    expect(counted()).toEqual([4, 3]);
  });

  it('is left to verify, uncounted, whenever it is not accepted', async () => {
    const { server, clock, monotonic, counted } = await aMemory({ exp: NOW + 30 });
    await server.verify(bearer());
    const dpop = { authorization: `DPoP ${TOKEN}`, dpop: 'x' };
    for (const request of [
      aRequest({}),
      aRequest({ authorization: ['a', 'b'] }),
      aRequest(dpop),
      bearer('other'),
    ])
      expect(server.verifyCached(request)).toBeUndefined();
    expect(server.verifyCached(bearer(), { scope: 'orders:write' })).toBeUndefined();
    const elsewhere = server.forResource({ identifier: 'https://other.example' });
    expect(elsewhere.verifyCached(bearer())).toBeUndefined();
    const strict = server.forResource({ identifier: RESOURCE }, { isRequired: true });
    expect(strict.verifyCached(bearer())).toBeUndefined();
    expect(server.verifyCached(bearer())).toBeDefined();
    clock.advanceSeconds(30);
    expect(server.verifyCached(bearer())).toBeUndefined();
    clock.advanceSeconds(-30);
    monotonic.nowMs += 60_000;
    expect(server.verifyCached(bearer())).toBeUndefined();
    expect(counted()).toEqual([2, 1]);
  });

  it('is left to verify if the token is bound to a key that the request does not prove', async () => {
    const { server } = await aMemory({ cnf: { jkt: 'A'.repeat(43) } });
    await server.verify(bearer());
    expect(server.verifyCached(bearer())).toBeUndefined();
  });
});

describe('a token that is bound to a certificate (RFC 8705 section 3)', () => {
  const der = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    type: 'spki',
    format: 'der',
  });
  const thumbprint = async () =>
    Buffer.from(await crypto.subtle.digest('SHA-256', der)).toString('base64url');

  it('is accepted with that certificate, and only with it', async () => {
    const cnf = { 'x5t#S256': await thumbprint() };
    const authorizationServer = await startProgrammedServer(json(active({ cnf })));
    const { server } = aResourceServer(authorizationServer.url);
    const headers = { authorization: `Bearer ${TOKEN}` };
    const outcome = async (certificate: Uint8Array | undefined) =>
      summary(await server.verify(aRequest(headers, { clientCertificate: () => certificate })));
    expect(await outcome(der)).toBe('accepted');
    expect(await outcome(new Uint8Array(der).fill(0, 40))).toBe('401 binding');
    expect(await outcome(new Uint8Array())).toBe('401 binding');
    expect(await outcome(undefined)).toBe('401 binding');
    expect(summary(await server.verify(bearer()))).toBe('401 binding');
  });
});
