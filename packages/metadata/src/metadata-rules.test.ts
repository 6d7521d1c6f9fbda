import { generateKeyPairSync } from 'node:crypto';
import type { JsonObject } from '@vestibule/protocol/json';
import { expect, it } from 'vitest';
import { applyDefaults } from './metadata-defaults.js';
import { METADATA_RULES } from './metadata-rules.js';
import { STRICT_METADATA_SETTINGS } from './metadata-settings.js';
import { recognizeMembers } from './recognize-members.js';
import { defaultSupportedMetadata } from './supported-metadata.js';
import { validateClientMetadata } from './validate-client-metadata.js';

const SUPPORTED = { ...defaultSupportedMetadata(), authorizationDetailsTypes: ['known'] };
const REDIRECT = 'https://app.example.org/cb';
const KEY: JsonObject = JSON.parse(
  JSON.stringify(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })),
);
const jwks = { keys: [KEY] };

/** For each rule, a registration that only this rule refuses. */
const REFUSED_BY: Readonly<Record<string, JsonObject>> = {
  supportedGrantTypes: { grant_types: ['authorization_code', 'magic'] },
  supportedResponseTypes: {
    grant_types: ['authorization_code'],
    response_types: ['code', 'magic'],
  },
  consistentResponseTypes: { response_types: ['code id_token'] },
  consistentGrantTypes: { grant_types: ['authorization_code', 'implicit'], response_types: ['code'] },
  supportedAuthMethod: { token_endpoint_auth_method: 'magic' },
  authenticatedClientCredentials: {
    grant_types: ['authorization_code', 'client_credentials'],
    token_endpoint_auth_method: 'none',
  },
  presentRedirectUris: { redirect_uris: [] },
  acceptableRedirectUris: { redirect_uris: ['http://app.example.org/cb'] },
  acceptablePostLogoutRedirectUris: { post_logout_redirect_uris: ['javascript:alert(1)'] },
  frontchannelLogoutBesideRedirectUri: { frontchannel_logout_uri: 'https://other.example.org/logout' },
  secureUrls: { backchannel_logout_uri: 'http://app.example.org/logout' },
  secureRequestUris: { request_uris: ['http://app.example.org/request'] },
  shownUrls: { 'logo_uri#de': 'data:image/png;base64,AA' },
  nonEmptyContacts: { contacts: [' '] },
  boundedScope: { scope: 'a'.repeat(2049) },
  wellFormedScope: { scope: 'a  b' },
  absoluteResourceIdentifiers: { resource_identifiers: ['api'] },
  wellFormedResourceScopes: { resource_scopes: 'a  b' },
  supportedSubjectType: { subject_type: 'magic' },
  oneSector: { subject_type: 'pairwise', redirect_uris: [REDIRECT, 'https://other.example.org/cb'] },
  supportedAlgorithms: { id_token_signed_response_alg: 'HS1' },
  encryptionAsAWhole: { userinfo_encrypted_response_enc: 'A256GCM' },
  assertionAlgorithmOfTheMethod: {
    token_endpoint_auth_method: 'client_secret_jwt',
    token_endpoint_auth_signing_alg: 'RS256',
  },
  noSharedKeyOfPublicClients: {
    token_endpoint_auth_method: 'none',
    id_token_signed_response_alg: 'HS256',
  },
  oneSourceOfKeys: { jwks, jwks_uri: 'https://app.example.org/jwks' },
  publicKeys: { jwks: { keys: [{ ...KEY, d: 'AAAA' }] } },
  keyOfTheMethod: { token_endpoint_auth_method: 'private_key_jwt' },
  certificateOfTheMethod: { token_endpoint_auth_method: 'self_signed_tls_client_auth', jwks },
  keyOfRequestObjects: { request_object_signing_alg: 'ES256' },
  keyOfEncryptedMessages: { id_token_encrypted_response_alg: 'RSA-OAEP-256' },
  oneCertificateSubject: { token_endpoint_auth_method: 'tls_client_auth' },
  boundTokensFromTheTokenEndpoint: {
    dpop_bound_access_tokens: true,
    grant_types: ['implicit'],
    response_types: ['id_token token'],
  },
  oneBindingOfTokens: { dpop_bound_access_tokens: true, tls_client_certificate_bound_access_tokens: true },
  supportedAuthorizationDetails: { authorization_details_types: ['payment'] },
  knownRegistrationTypes: { client_registration_types: ['magic'] },
  softwareStatementForm: { software_statement: 'e30.e30' },
};

// Otherwise a redundant or untested rule could be removed unnoticed.
it('refuse one registration each that no other rule refuses', () => {
  expect(METADATA_RULES.map(({ name }) => name).sort()).toEqual(Object.keys(REFUSED_BY).sort());
  for (const rule of METADATA_RULES) {
    const input: JsonObject = { redirect_uris: [REDIRECT], ...REFUSED_BY[rule.name] };
    expect(() => validateClientMetadata(input, SUPPORTED), rule.name).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^invalid_(redirect_uri|client_metadata)$/) }),
    );
    const { members: given, localized } = recognizeMembers(input);
    const context = {
      input,
      members: applyDefaults(given, SUPPORTED),
      localized,
      supported: SUPPORTED,
      settings: STRICT_METADATA_SETTINGS,
    };
    for (const other of METADATA_RULES)
      if (other !== rule) expect(() => other(context), rule.name).not.toThrow();
  }
});
