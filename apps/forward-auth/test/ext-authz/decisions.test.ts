import { randomBytes } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { aDpopClient } from '@vestibule/crypto/testing';
import { TEST_CERTIFICATE, testCertificateDer } from '@vestibule/http/testing';
import { describe, expect, it } from 'vitest';
import { IDENTITY_HEADERS } from '../../src/identity/identity-headers.js';
import { anEnvoy, type DescribedRequest, fieldsOf } from '../support/envoy.js';
import { API, aForwardAuth, NOW } from '../support/forward-auth-fixture.js';
import { aGrpcServer } from '../support/grpc-server.js';

const METADATA = 'resource_metadata="https://api.example/.well-known/oauth-protected-resource"';
const DPOP = 'DPoP algs="ES256 ES384 EdDSA Ed25519 PS256 RS256"';

/** The service with an introspection endpoint, and a client in place of Envoy. */
async function setting(options: Parameters<typeof aForwardAuth>[0] = {}) {
  const fixture = await aForwardAuth(options);
  const { port } = await aGrpcServer(fixture.forwardAuth.deps);
  const { check } = anEnvoy(port);
  return {
    ...fixture,
    /** Asks about `GET /orders/7` or the like. */
    check: (headers: Readonly<Record<string, string>>, request: DescribedRequest = {}) =>
      check({ host: 'api.example', path: '/orders/7', headers, ...request }),
  };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('Envoy is told to let a request pass', () => {
  it('with what the token tells in place of what the client wrote', async () => {
    const { check, issue } = await setting();
    const spoofed = { 'x-token-subject': 'root', 'x-token-username': 'root', 'x-token-scope': 'all' };
    const { ok_response, ...response } = await check({ ...bearer(issue({ exp: NOW + 600 })), ...spoofed });
    expect(response.status.code).toBe(status.OK);
    expect(response.denied_response).toBeUndefined();
    const set = fieldsOf(ok_response?.headers);
    expect(set).toEqual({
      'X-Token-Subject': 'ada',
      'X-Token-Client': 'app',
      'X-Token-Scope': 'orders:read',
      'X-Token-Expiry': String(NOW + 600),
    });
    for (const { append_action } of ok_response?.headers ?? [])
      expect(append_action).toBe('OVERWRITE_IF_EXISTS_OR_ADD');
    expect(ok_response?.headers_to_remove).toEqual(['X-Token-Username', 'X-Token-Issuer']);
    expect(ok_response?.response_headers_to_add).toEqual([]);
  });

  it('without a token on a public route, and to remove every identity header', async () => {
    const { check, endpoint } = await setting();
    const { status: result, ok_response } = await check({ 'x-token-subject': 'root' }, { path: '/health' });
    expect(result.code).toBe(status.OK);
    expect(ok_response).toMatchObject({ headers: [], headers_to_remove: IDENTITY_HEADERS });
    expect(endpoint.requests()).toBe(0);
  });

  it('with a proof of the key that the token is bound to, once, and to give the client the next nonce', async () => {
    const DPOP_NONCE_KEY = randomBytes(32).toString('base64url');
    const { check, issue, forwardAuth } = await setting({ settings: { DPOP_NONCE_KEY } });
    const client = aDpopClient();
    const token = issue({ cnf: { jkt: client.thumbprint } });
    const present = async (claims: object) => {
      const dpop = client.proof(token, { htu: `${API}/orders/7`, iat: NOW, ...claims });
      return [await check({ authorization: `DPoP ${token}`, dpop }), dpop] as const;
    };
    const [refused] = await present({});
    const nonce = fieldsOf(refused.denied_response?.headers)['DPoP-Nonce'];
    const [{ ok_response }, dpop] = await present({ nonce });
    expect(fieldsOf(ok_response?.response_headers_to_add)).toEqual({ 'DPoP-Nonce': nonce });
    const again = await check({ authorization: `DPoP ${token}`, dpop });
    expect(again.denied_response?.status.code).toBe('Unauthorized');
    expect(forwardAuth.deps.jwks).toBeUndefined();
  });

  it('with the certificate that the token is bound to, and only so', async () => {
    const { check, issue } = await setting();
    const digest = await crypto.subtle.digest('SHA-256', testCertificateDer());
    const token = issue({ cnf: { 'x5t#S256': Buffer.from(digest).toString('base64url') } });
    const certificate = TEST_CERTIFICATE.cert;
    expect((await check(bearer(token), { certificate })).status.code).toBe(status.OK);
    for (const other of [{}, { certificate: 'x' }]) {
      const { denied_response } = await check(bearer(token), other);
      expect(denied_response?.status.code).toBe('Unauthorized');
    }
  });
});

describe('Envoy is told to refuse a request', () => {
  it('without a token, with the challenge for the client', async () => {
    const { check } = await setting();
    const { status: result, denied_response, ok_response } = await check({});
    expect([result.code, denied_response?.status.code, denied_response?.body, ok_response]).toEqual([
      status.UNAUTHENTICATED,
      'Unauthorized',
      '',
      undefined,
    ]);
    expect(fieldsOf(denied_response?.headers)).toEqual({
      'WWW-Authenticate': `Bearer scope="orders:read", ${METADATA}, ${DPOP}, scope="orders:read", ${METADATA}`,
      'Cache-Control': 'no-store',
    });
  });

  it.each([
    ['is not active', undefined, 'Unauthorized', status.UNAUTHENTICATED, 'invalid_token'],
    [
      'lacks the scope',
      { scope: 'orders:write' },
      'Forbidden',
      status.PERMISSION_DENIED,
      'insufficient_scope',
    ],
    ['is bound to a key', { cnf: { jkt: 'k' } }, 'Unauthorized', status.UNAUTHENTICATED, 'invalid_token'],
  ])('with a token that %s', async (_what, members, httpStatus, code, error) => {
    const { check, issue } = await setting();
    const token = members === undefined ? 'made-up' : issue(members);
    const { status: result, denied_response } = await check(bearer(token));
    expect([result.code, denied_response?.status.code]).toEqual([code, httpStatus]);
    expect(JSON.parse(denied_response?.body ?? '')).toMatchObject({ error });
    expect(fieldsOf(denied_response?.headers)).toMatchObject({
      'Content-Type': 'application/json',
      'WWW-Authenticate': expect.stringContaining(`Bearer error="${error}"`),
    });
  });

  it('without a proof of the key that the token is bound to', async () => {
    const { check, issue } = await setting();
    const { thumbprint } = aDpopClient();
    const token = issue({ cnf: { jkt: thumbprint } });
    const { denied_response } = await check({ authorization: `DPoP ${token}` });
    expect(JSON.parse(denied_response?.body ?? '')).toMatchObject({ error: 'invalid_dpop_proof' });
  });

  it.each([
    ['equal', (token: string) => `Bearer ${token},Bearer ${token}`],
    ['different', (token: string) => `Basic YTpi, Bearer ${token}`],
  ])('with two %s headers Authorization, which Envoy joins', async (_what, joined) => {
    const { check, issue, endpoint } = await setting();
    const { denied_response } = await check({ authorization: joined(issue()) });
    expect(denied_response?.status.code).toBe('BadRequest');
    expect(endpoint.requests()).toBe(0);
  });

  it('with two headers Authorization that Envoy does not join', async () => {
    const { check, issue } = await setting();
    const [first, second] = [issue(), issue()];
    const rawHeaders = [
      ['authorization', `Bearer ${first}`],
      ['authorization', `Bearer ${second}`],
    ] as const;
    const { denied_response } = await check({}, { rawHeaders });
    expect(denied_response?.status.code).toBe('BadRequest');
    const one = await check({}, { rawHeaders: rawHeaders.slice(0, 1) });
    expect(one.status.code).toBe(status.OK);
  });

  it.each([
    ['an ambiguous path', { path: '/orders/..%2fadmin' }, 'BadRequest'],
    ['a path that no route has', { path: '/admin' }, 'Forbidden'],
    ['a method that no route has', { method: 'DELETE' }, 'Forbidden'],
    ['a host of no resource', { host: 'other.example' }, 'Forbidden'],
  ])('with %s', async (_what, request, httpStatus) => {
    const { check, issue } = await setting();
    const { denied_response } = await check(bearer(issue()), request);
    expect(denied_response?.status.code).toBe(httpStatus);
  });

  it('with 503 while introspection is gone', async () => {
    const { check, issue, endpoint } = await setting();
    const token = issue();
    endpoint.stop();
    const { status: result, denied_response } = await check(bearer(token));
    expect([result.code, denied_response?.status.code]).toEqual([status.UNAVAILABLE, 'ServiceUnavailable']);
    expect(fieldsOf(denied_response?.headers)).toMatchObject({ 'Retry-After': '1' });
  });
});
