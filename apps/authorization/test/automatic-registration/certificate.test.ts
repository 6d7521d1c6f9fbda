import { aCertificate } from '@vestibule/client-auth/testing';
import { createEntityKey, type MemberChanges, openSmallFederation } from '@vestibule/testkit/federation';
import { expect, it, onTestFinished } from 'vitest';
import { buildTestApp } from '../support/build-test-app.js';

const PROXY_SECRET = 'a-secret-of-the-proxy-with-enough-characters';
const REDIRECT_URI = 'https://app.example/cb';

async function createFixture() {
  const federation = await openSmallFederation();
  onTestFinished(() => federation.close());
  const settings = {
    FEDERATION_ENABLED: 'true',
    FEDERATION_TRUST_ANCHORS: JSON.stringify(federation.trustAnchors),
    EGRESS_ALLOW_HOSTS: '127.0.0.1',
    TRUSTED_PROXIES: '127.0.0.1',
    CLIENT_CERTIFICATE_HEADER: 'Client-Cert',
    CLIENT_CERTIFICATE_CHAIN_VERIFIED: 'true',
    CLIENT_CERTIFICATE_PROXY_SECRET: PROXY_SECRET,
  };
  const { app, deps } = await buildTestApp(settings, false, true);
  return {
    member: (metadata: MemberChanges) =>
      federation.relyingParty({
        metadata: { redirect_uris: [REDIRECT_URI], client_registration_types: ['automatic'], ...metadata },
      }),
    stored: (id: string) => deps.clients.find(id as never),
    push: async (id: string, certificate?: Buffer) => {
      const form = {
        client_id: id,
        response_type: 'code',
        scope: 'openid',
        redirect_uri: REDIRECT_URI,
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      };
      const response = await app.inject({
        method: 'POST',
        url: '/par',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'client-cert-proof': PROXY_SECRET,
          ...(certificate && { 'client-cert': `:${certificate.toString('base64')}:` }),
        },
        payload: new URLSearchParams(form).toString(),
      });
      return { status: response.statusCode, error: response.json().error };
    },
  };
}

it('registers an entity that pushes a request over mutual TLS, with a certificate of its key set', async () => {
  const fixture = await createFixture();
  const certificate = aCertificate();
  const { publicJwk } = await createEntityKey();
  const { id, requestedPaths: requested } = await fixture.member({
    token_endpoint_auth_method: 'self_signed_tls_client_auth',
    jwks: { keys: [{ ...publicJwk, x5c: [certificate.toString('base64')] }] },
  });
  expect(await fixture.push(id)).toMatchObject({ status: 401, error: 'invalid_client' });
  expect(requested).toEqual([]);
  expect(await fixture.push(id, aCertificate())).toEqual({ status: 401, error: 'unauthorized_client' });
  expect(await fixture.stored(id)).toBeUndefined();
  expect(await fixture.push(id, certificate)).toMatchObject({ status: 201 });
  expect(await fixture.stored(id)).toMatchObject({ origin: 'federation_automatic' });
  expect(await fixture.push(id, aCertificate())).toMatchObject({ status: 401 });
});

it('registers an entity with the certificate subject in its metadata, and none by a certificate of another method', async () => {
  const fixture = await createFixture();
  const certificate = aCertificate();
  const method = 'tls_client_auth';
  const named = { token_endpoint_auth_method: method, tls_client_auth_subject_dn: 'CN=client' };
  const { id } = await fixture.member(named);
  const other = aCertificate({ subject: [[['2.5.4.3', 'other']]] });
  expect(await fixture.push(id, other)).toEqual({ status: 401, error: 'unauthorized_client' });
  expect(await fixture.push(id, certificate)).toMatchObject({ status: 201 });
  const { publicJwk } = await createEntityKey();
  const keyed = await fixture.member({
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [{ ...publicJwk, x5c: [certificate.toString('base64')] }] },
  });
  expect(await fixture.push(keyed.id, certificate)).toEqual({ status: 401, error: 'unauthorized_client' });
  expect(await fixture.stored(keyed.id)).toBeUndefined();
});
