import { aDpopClient } from '@vestibule/crypto/testing';
import { NO_STORE, testCertificateDer } from '@vestibule/http/testing';
import { describe, expect, it } from 'vitest';
import { API, aForwardAuth, bearer, NOW, RESOURCES } from '../support/forward-auth-fixture.js';

const METADATA = 'resource_metadata="https://api.example/.well-known/oauth-protected-resource"';
const DPOP = 'DPoP algs="ES256 ES384 EdDSA Ed25519 PS256 RS256"';

describe('a request is refused', () => {
  it('without a token, with challenges that name the scope of its route', async () => {
    const { check } = await aForwardAuth();
    expect(await check('GET /orders')).toEqual({
      status: 401,
      headers: {
        ...NO_STORE,
        'www-authenticate': `Bearer scope="orders:read", ${METADATA}, ${DPOP}, scope="orders:read", ${METADATA}`,
      },
      body: '',
    });
  });

  it('with a token that is not active', async () => {
    const { check } = await aForwardAuth();
    const description = 'The access token is not active';
    expect(await check('GET /orders', bearer('made-up'))).toEqual({
      status: 401,
      headers: {
        ...NO_STORE,
        'content-type': 'application/json',
        'www-authenticate': `Bearer error="invalid_token", error_description="${description}", scope="orders:read", ${METADATA}, ${DPOP}, scope="orders:read", ${METADATA}`,
      },
      body: `{"error":"invalid_token","error_description":"${description}"}`,
    });
  });

  it.each([
    ['for another resource', { aud: 'https://other.example' }],
    ['that has expired', { exp: NOW }],
    ['that is not valid yet', { nbf: NOW + 1 }],
  ])('with a token %s', async (_what, members) => {
    const { check, issue } = await aForwardAuth();
    expect((await check('GET /orders', bearer(issue(members)))).status).toBe(401);
  });

  it('as soon as the token is revoked, if nothing is cached', async () => {
    const { check, issue, endpoint } = await aForwardAuth();
    const token = issue();
    expect((await check('GET /orders', bearer(token))).status).toBe(200);
    endpoint.tokens.delete(token);
    expect((await check('GET /orders', bearer(token))).status).toBe(401);
  });
});

describe('a token that is bound to a DPoP key', () => {
  const setting = async (options: Parameters<typeof aForwardAuth>[0] = {}) => {
    const fixture = await aForwardAuth(options);
    const client = aDpopClient();
    const token = fixture.issue({ cnf: { jkt: client.thumbprint } });
    const present = (dpop: string, target = 'GET /orders/7') =>
      fixture.check(target, { headers: { authorization: `DPoP ${token}`, dpop } });
    const proof = (claims = {}) => client.proof(token, { htu: `${API}/orders/7`, iat: NOW, ...claims });
    return { ...fixture, token, present, proof };
  };

  it('is accepted with a proof for the request of the client, once', async () => {
    const { present, proof } = await setting();
    const first = await proof();
    expect((await present(first)).status).toBe(200);
    expect((await present(first)).status).toBe(401);
  });

  it('is refused without a proof, as a bearer token, and with a proof for another request', async () => {
    const { present, proof, check, token } = await setting();
    expect((await check('GET /orders/7', bearer(token))).status).toBe(401);
    expect((await check('GET /orders/7', { headers: { authorization: `DPoP ${token}` } })).status).toBe(401);
    expect((await present(await proof({ htm: 'POST' }))).status).toBe(401);
    expect((await present(await proof(), 'GET /orders/8')).status).toBe(401);
    expect((await present(await proof({ htu: 'https://b.example/orders/7' }))).status).toBe(401);
  });

  it('is checked with the address that clients call, if the configuration names one', async () => {
    const [resource] = RESOURCES;
    const resources = [{ ...resource, base_url: 'https://public.example' }];
    const { present, proof } = await setting({ resources });
    expect((await present(await proof())).status).toBe(401);
    expect((await present(await proof({ htu: 'https://public.example/orders/7' }))).status).toBe(200);
  });

  it('needs a nonce if the settings say so, and every response has the next one', async () => {
    const key = Buffer.alloc(32, 7).toString('base64url');
    const { present, proof, check, issue } = await setting({ settings: { DPOP_NONCE_KEY: key } });
    const refused = await present(await proof());
    const nonce = refused.headers['dpop-nonce'];
    expect([refused.status, typeof nonce]).toEqual([401, 'string']);
    const accepted = await present(await proof({ nonce }));
    expect([accepted.status, accepted.headers['dpop-nonce']]).toEqual([200, nonce]);
    expect((await check('GET /orders', bearer(issue()))).headers['dpop-nonce']).toBe(nonce);
  });

  it('is the only kind of token for a resource that requires it', async () => {
    const [resource] = RESOURCES;
    const { present, proof, check, issue } = await setting({
      resources: [{ ...resource, dpop: 'required' }],
    });
    expect((await present(await proof())).status).toBe(200);
    const { status, headers } = await check('GET /orders', bearer(issue()));
    expect([status, headers['www-authenticate']]).toEqual([401, expect.stringMatching(/^DPoP error=/)]);
  });
});

describe('a token that is bound to a certificate', () => {
  const PROXY_SECRET = 'a-secret-that-gateways-have-and-others-do-not';
  const settings = {
    CLIENT_CERTIFICATE_HEADER: 'Client-Cert',
    CLIENT_CERTIFICATE_PROXY_SECRET: PROXY_SECRET,
    TRUSTED_PROXIES: '127.0.0.1',
  };
  const certificate = `:${testCertificateDer().toString('base64')}:`;

  it('is accepted with that certificate from a gateway, and only so', async () => {
    const { check, issue } = await aForwardAuth({ settings });
    const digest = await crypto.subtle.digest('SHA-256', testCertificateDer());
    const cnf = { 'x5t#S256': Buffer.from(digest).toString('base64url') };
    const { headers } = bearer(issue({ cnf }));
    const status = async (more: Readonly<Record<string, string>>) =>
      (await check('GET /orders', { headers: { ...headers, ...more } })).status;
    expect(await status({ 'client-cert': certificate, 'client-cert-proof': PROXY_SECRET })).toBe(200);
    expect(await status({ 'client-cert': certificate })).toBe(401);
    expect(await status({})).toBe(401);
  });
});
