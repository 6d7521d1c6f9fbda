import { registerClient } from '@vestibule/clients/registration';
import { STRICT_METADATA_SETTINGS } from '@vestibule/metadata';
import { DomainError } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { ALL_SCOPES } from '@vestibule/scopes';
import { exportJWK, generateKeyPair } from 'jose';
import { expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../support/build-test-app.js';

const HTTPS = 'https://app.example/cb';
const DOCUMENTS = 'http://documents.test:8080/';

/** One member of client metadata each; values that are refused alone come with another member. */
const VARIANTS: readonly JsonObject[] = [
  { grant_types: ['authorization_code', 'refresh_token'] },
  { grant_types: ['client_credentials'] },
  { grant_types: ['implicit'] },
  { grant_types: ['implicit'], response_types: ['token'] },
  { grant_types: ['authorization_code', 'implicit'], response_types: ['code id_token', 'code token'] },
  { redirect_uris: [] },
  { redirect_uris: [HTTPS, 'https://app.example:8443/cb'] },
  { redirect_uris: [HTTPS, 'https://APP.example:443/other'] },
  { redirect_uris: [HTTPS, 'https://other.example/cb'] },
  { redirect_uris: ['http://localhost:3000/cb'] },
  { redirect_uris: ['https://localhost/cb'] },
  { redirect_uris: ['https://127.0.0.1/cb'] },
  { redirect_uris: ['http://127.0.0.1:3000/cb'] },
  { redirect_uris: ['com.example.app:/cb'] },
  { application_type: 'native' },
  { subject_type: 'pairwise' },
  { sector_identifier_uri: 'https://sector.example:8443/list' },
  { sector_identifier_uri: `${DOCUMENTS}list` },
  { jwks_uri: `${DOCUMENTS}keys` },
  { client_name: '' },
  { client_name: ' ' },
  { 'client_name#de': '' },
  { contacts: ['ä@example.org'], software_id: '', software_version: '', scope: '', default_acr_values: [''] },
  { client_uri: 'http://app.example', logo_uri: 'https://app.example:1/%20', tos_uri: 'https://[::1]/' },
  { initiate_login_uri: `${DOCUMENTS}login`, request_uris: ['https://app.example/r#x'] },
  { token_endpoint_auth_method: 'none' },
  { token_endpoint_auth_method: 'client_secret_jwt', token_endpoint_auth_signing_alg: 'HS512' },
  { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: 'ES256' },
  { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_san_ip: '192.0.2.7' },
  { tls_client_auth_subject_dn: 'CN=x' },
  { tls_client_certificate_bound_access_tokens: true },
  { dpop_bound_access_tokens: true },
  { id_token_signed_response_alg: 'HS256', id_token_encrypted_response_alg: 'dir' },
  { userinfo_encrypted_response_alg: 'ECDH-ES', request_object_signing_alg: 'ES256' },
  { userinfo_signed_response_alg: 'EdDSA', request_object_encryption_alg: 'dir' },
  { authorization_encrypted_response_alg: 'A128KW', request_object_encryption_alg: 'A128GCMKW' },
  { introspection_signed_response_alg: 'ES256', introspection_encrypted_response_alg: 'dir' },
  { require_signed_request_object: true, require_pushed_authorization_requests: true },
  { default_max_age: 0, require_auth_time: true },
  { frontchannel_logout_uri: 'https://app.example/out', frontchannel_logout_session_required: true },
  { backchannel_logout_uri: `${DOCUMENTS}out`, backchannel_logout_session_required: true },
  { post_logout_redirect_uris: ['http://localhost:3000/'], client_registration_types: ['automatic'] },
];

it('loads every client that can be registered', { timeout: 180_000 }, async () => {
  const fixture = await buildTestApp({}, false, true);
  const { publicKey } = await generateKeyPair('ES256');
  const jwks = {
    keys: [
      { ...(await exportJWK(publicKey)), kid: 'k' },
      { kty: 'X', kid: 'unknown' },
    ],
  };
  const variants = [...VARIANTS, { jwks }];
  const refused: string[] = [];
  let registered = 0;
  for (const [position, one] of variants.entries()) {
    for (const other of variants.slice(position)) {
      const metadata = { ...one, ...other };
      const id = await registeredId(fixture, metadata);
      if (id === undefined) continue;
      registered += 1;
      const refusal = await loadingRefusal(fixture, id, metadata);
      if (refusal !== undefined) refused.push(`${JSON.stringify(metadata)}: ${refusal}`);
    }
  }
  expect(refused).toEqual([]);
  expect(fixture.problems).toEqual([]);
  expect(registered).toBeGreaterThan(variants.length * 10);
});

/**
 * Registers a client on a development stack, where the rules are at their widest.
 * @returns its identifier
 */
async function registeredId({ registration }: TestApp, metadata: JsonObject): Promise<string | undefined> {
  const body = { redirect_uris: [HTTPS], ...metadata };
  const deps = {
    ...registration,
    sectorIdentifiers: { read: async () => body.redirect_uris },
    settings: {
      ...registration.settings,
      metadata: {
        ...STRICT_METADATA_SETTINGS,
        allowLoopbackRedirectUris: true,
        egressAllowHosts: ['documents.test'],
      },
    },
  };
  try {
    const authority = { kind: 'master', grantedScopes: ALL_SCOPES } as const;
    return (await registerClient(deps, { authority, body })).information.client_id;
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

/** The error of the authorization endpoint about the client itself. */
async function loadingRefusal(
  { app }: TestApp,
  id: string,
  metadata: JsonObject,
): Promise<string | undefined> {
  const { redirect_uris: [redirect] = [HTTPS] } = metadata as { redirect_uris?: string[] };
  const query = new URLSearchParams({
    client_id: id,
    response_type: 'code',
    scope: 'openid',
    ...(redirect !== undefined && { redirect_uri: redirect }),
  });
  const response = await app.inject(`/authorize?${query}`);
  const said = `${response.headers.location ?? ''} ${response.body}`;
  if (response.statusCode < 500 && !/invalid_client|invalid_redirect_uri|server_error/.test(said))
    return undefined;
  const [, shown = said] = /<main>(.*)<\/main>/s.exec(response.body) ?? [];
  return `${response.statusCode} ${shown.replaceAll(/<[^>]*>|\s+/g, ' ').trim()}`;
}
