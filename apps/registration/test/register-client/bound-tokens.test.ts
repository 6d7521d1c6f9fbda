import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { buildTestApp } from '../support/build-test-app.js';
import { INVALID_TOKEN, information, registered, send } from '../support/calls.js';
import { initialJwt } from '../support/initial-jwt.js';
import { race } from '../support/race.js';

const BODY = { redirect_uris: ['https://app.example/cb'] };

/** A self-signed certificate, valid from 2020 to 2049. */
const CERTIFICATE = `MIIBNzCCAN6gAwIBAgIBATAKBggqhkjOPQQDAjAWMRQwEgYDVQQDDAtlZ3Jlc3MgdGVzdDAeFw0y
MDAxMDEwMDAwMDBaFw00OTEyMzEyMzU5NTlaMBYxFDASBgNVBAMMC2VncmVzcyB0ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAElpjERu2CiQ1mi/jZ2QqJki1AJX6/7GdqNxG3TzRuiWGSGg2Gawi81rnZ9pZN6Pk68W7lcyGm1u/ab3/THej8sqMdMBswGQYD
VR0RBBIwEIIOY2xpZW50LmV4YW1wbGUwCgYIKoZIzj0EAwIDRwAwRAIgBx1r9FJrZRt4LncNGjYbVVU3CDLt9PnV2o+G+8c4EfYC
IAFkpMV9T0sdgLdEk2B6CmWf4V7jWOSrX18BHeY7Ob5H`.replaceAll('\n', '');
const THUMBPRINT = createHash('sha256').update(Buffer.from(CERTIFICATE, 'base64')).digest('base64url');
const PROXY_SECRET = 'a-secret-that-proxies-have-and-others-do-not';
const HEADERS = { 'client-cert': `:${CERTIFICATE}:`, 'client-cert-proof': PROXY_SECRET };
const PROXIED = {
  CLIENT_CERTIFICATE_HEADER: 'Client-Cert',
  CLIENT_CERTIFICATE_PROXY_SECRET: PROXY_SECRET,
  TRUSTED_PROXIES: '127.0.0.1',
};
const bound = { confirmation: { 'x5t#S256': THUMBPRINT } };

it('registers with a token that is bound to the certificate in the header of a trusted proxy', async () => {
  const { app, initialToken } = await buildTestApp(PROXIED);
  const token = await initialToken('client-reg', bound);
  information(await send(app, 'POST /clients', { token, body: BODY, headers: HEADERS }));
});

it('refuses the token without that certificate, and does not consume it', async () => {
  const { app, clock, initialToken, usesLeft } = await buildTestApp(PROXIED);
  const token = await initialToken('client-reg', bound);
  const other = await initialToken('client-reg', { confirmation: { 'x5t#S256': 'A'.repeat(43) } });
  const attempt = (headers: Record<string, string>, presented = token) =>
    send(app, 'POST /clients', { token: presented, body: BODY, headers });
  for (const value of ['', ':AAAA:', CERTIFICATE, encodeURIComponent(CERTIFICATE), `:${CERTIFICATE}:, x`])
    expect(await attempt({ ...HEADERS, 'client-cert': value }), value).toEqual(INVALID_TOKEN);
  expect(await attempt({ ...HEADERS, 'client-cert-proof': 'x' })).toEqual(INVALID_TOKEN);
  expect(await attempt({})).toEqual(INVALID_TOKEN);
  expect(await attempt(HEADERS, other)).toEqual(INVALID_TOKEN);
  // Before and after the validity of the certificate.
  clock.advanceSeconds(-7 * 365 * 86_400);
  expect(await attempt(HEADERS)).toEqual(INVALID_TOKEN);
  expect(await usesLeft(token)).toBe(1);
});

// The certificate is public, so a client could send it in a request.
it('accepts the header only from a trusted proxy', async () => {
  for (const settings of [{}, { ...PROXIED, TRUSTED_PROXIES: '192.0.2.1' }]) {
    const { app, initialToken } = await buildTestApp(settings);
    const token = await initialToken('client-reg', bound);
    expect(await send(app, 'POST /clients', { token, body: BODY, headers: HEADERS })).toEqual(INVALID_TOKEN);
  }
});

it('refuses to start with a certificate header but no trusted proxy', async () => {
  await expect(buildTestApp({ CLIENT_CERTIFICATE_HEADER: 'Client-Cert' })).rejects.toThrow(
    /CLIENT_CERTIFICATE_HEADER/,
  );
});

it('registers with a token that is a JWT, as often as it has uses and no more', async () => {
  const service = await buildTestApp();
  const token = await initialJwt(service);
  const responses = await race([service, await service.anotherInstance()], 50, (app) =>
    send(app, 'POST /clients', { token, body: BODY }),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(responses.filter(({ status }) => status !== 200)).toEqual(Array(49).fill(INVALID_TOKEN));
});

it('limits such a token to its own scopes, and accepts neither its jti nor another JWT in its place', async () => {
  const service = await buildTestApp();
  const { app, clock, accessToken } = service;
  const token = await initialJwt(service, 5);
  const privileged = { ...BODY, grant_types: ['client_credentials'] };
  expect(await send(app, 'POST /clients', { token, body: privileged })).toMatchObject({ status: 403 });
  expect(await send(app, 'GET /clients', { token })).toMatchObject({ status: 403 });
  const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  expect(await send(app, 'POST /clients', { token: jti, body: BODY })).toEqual(INVALID_TOKEN);
  const client = await registered(app);
  const jwt = await accessToken('jwt', client.client_id);
  expect(await send(app, 'POST /clients', { token: jwt, body: BODY })).toMatchObject({ status: 403 });
  const id = client.client_id;
  expect(await send(app, `GET /clients/${id}`, { token })).toEqual(INVALID_TOKEN);
  clock.advanceSeconds(600);
  expect(await send(app, 'POST /clients', { token, body: BODY })).toEqual(INVALID_TOKEN);
});
