import { randomBytes, X509Certificate } from 'node:crypto';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { aCertificateWithKey } from '@vestibule/client-auth/testing';
import { clientCertificateReader } from '@vestibule/service/tls';
import { expect, it, onTestFinished } from 'vitest';
import { loadIntrospectionConfig } from '../../src/index.js';
import { certificateHeaders, registerCaller } from '../support/callers.js';
import { aTestService, ISSUER } from '../support/test-service.js';

/** Creates a self-signed certificate for a name, with its key. */
function identity(name: string) {
  const { der, privateKey } = aCertificateWithKey({ subject: [[['2.5.4.3', name]]] });
  const { publicKey } = new X509Certificate(der);
  const base64 = der.toString('base64');
  return {
    der,
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    jwk: { ...publicKey.export({ format: 'jwk' }), kid: name, x5c: [base64] },
  };
}

type Identity = ReturnType<typeof identity>;

const server = identity('localhost');
/** Certificates that the server's authorities do and do not trust. */
const [vouched, alone, other] = [identity('vouched'), identity('alone'), identity('vouched')];

/** Creates a service that terminates TLS itself, and a function that sends requests with a certificate. */
async function aTlsService(clientAuthorities?: string) {
  const certificates = { clientCertificate: clientCertificateReader({ trustedProxies: [] }) };
  const tls = { certificate: server.cert, key: server.key, ...(clientAuthorities && { clientAuthorities }) };
  const service = await aTestService(certificates, { logger: false, tls });
  const registered = { tls_client_auth_subject_dn: 'CN=vouched' };
  await registerCaller(service, 'tls', 'tls_client_auth', registered);
  await registerCaller(service, 'self', 'self_signed_tls_client_auth', { jwks: { keys: [alone.jwk] } });
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = service.app.server.address() as AddressInfo;
  const token = await service.identifier();
  const introspectWith = (
    client_id: string,
    shown?: Identity,
    headers: Readonly<Record<string, string>> = {},
  ) => post(port, { client_id, token }, { shown, headers });
  return { service, port, token, introspectWith };
}

async function post(
  port: number,
  form: Readonly<Record<string, string>>,
  { shown, headers }: { shown: Identity | undefined; headers: Readonly<Record<string, string>> },
): Promise<{ status: number | undefined; body: string }> {
  const own = shown && { cert: shown.cert, key: shown.key };
  const agent = new Agent({ ca: server.cert, checkServerIdentity: () => undefined, keepAlive: true, ...own });
  onTestFinished(() => agent.destroy());
  const type = 'application/x-www-form-urlencoded';
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path: '/token/introspect', method: 'POST', agent };
    request({ ...options, headers: { 'content-type': type, ...headers } }, async (response) => {
      let body = '';
      for await (const part of response) body += part;
      resolve({ status: response.statusCode, body });
    })
      .on('error', reject)
      .end(new URLSearchParams(form).toString());
  });
}

const ACTIVE = { status: 200, body: expect.stringContaining('"active":true') };
const FAILED = { status: 401, body: expect.stringContaining('"error":"invalid_client"') };

it('authenticates a client by its own certificate on the TLS connection, and by no other or none', async () => {
  const { introspectWith } = await aTlsService(vouched.cert);
  expect(await introspectWith('tls', vouched)).toEqual(ACTIVE);
  expect(await introspectWith('self', alone)).toEqual(ACTIVE);
  // An unverified certificate with the right name, one of another client, an unregistered key, and none.
  for (const [id, shown] of [
    ['tls', other],
    ['tls', alone],
    ['self', vouched],
    ['self', other],
    ['tls', undefined],
    ['self', undefined],
  ] as const)
    expect(await introspectWith(id, shown), `${id} ${shown?.jwk.kid}`).toEqual(FAILED);
});

it('verifies no certificate without authorities, but still accepts registered keys', async () => {
  const { introspectWith } = await aTlsService();
  expect(await introspectWith('tls', vouched)).toEqual(FAILED);
  expect(await introspectWith('self', alone)).toEqual(ACTIVE);
});

it('ignores certificate headers when it terminates TLS itself', async () => {
  const { introspectWith } = await aTlsService(vouched.cert);
  const headers = certificateHeaders(vouched.der);
  expect(await introspectWith('tls', undefined, headers)).toEqual(FAILED);
  expect(await introspectWith('self', undefined, certificateHeaders(alone.der))).toEqual(FAILED);
});

it('reads the certificate from its settings, and accepts only its own key', () => {
  const environment = {
    BASE_URL: ISSUER,
    DATABASE_URL: 'postgres://localhost/x',
    ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
  };
  const load = (settings: Readonly<Record<string, string>>) =>
    loadIntrospectionConfig({ ...environment, ...settings });
  const own = { TLS_CERTIFICATE: server.cert, TLS_KEY: server.key };
  expect(load({ ...own, TLS_CLIENT_AUTHORITIES: vouched.cert + alone.cert }).TLS_KEY?.reveal()).toBe(
    server.key,
  );
  for (const bad of [
    { TLS_CERTIFICATE: server.cert },
    { TLS_KEY: server.key },
    { TLS_CLIENT_AUTHORITIES: vouched.cert },
    { ...own, TLS_KEY: alone.key },
    { ...own, TLS_KEY: server.cert },
    { ...own, TLS_CERTIFICATE: server.key },
    { ...own, TLS_CLIENT_AUTHORITIES: 'x' },
  ])
    expect(() => load(bad), Object.keys(bad).join()).toThrow('TLS_');
});
