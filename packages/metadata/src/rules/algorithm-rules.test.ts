import { HMAC_ALGORITHMS, SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { ALGORITHM_MEMBERS } from '../algorithm-members.js';
import { ALGORITHM_USES, defaultSupportedMetadata } from '../supported-metadata.js';
import { validateClientMetadata } from '../validate-client-metadata.js';

const SUPPORTED = defaultSupportedMetadata();
const BASE = { redirect_uris: ['https://app.example.org/cb'], jwks_uri: 'https://app.example.org/jwks' };
const accept = (input: JsonObject, supported = SUPPORTED) =>
  validateClientMetadata({ ...BASE, ...input }, supported);
const invalid = expect.objectContaining({ code: 'invalid_client_metadata' });

describe('algorithms', () => {
  it('must be supported for the kind of message', () => {
    for (const use of ALGORITHM_USES) {
      const { signing, encryption, contentEncryption } = ALGORITHM_MEMBERS[use];
      const choices = SUPPORTED.algorithms[use];
      for (const alg of choices.signing) expect(accept({ [signing]: alg })).toMatchObject({ [signing]: alg });
      for (const alg of choices.encryption)
        expect(accept({ [encryption]: alg })).toMatchObject({ [encryption]: alg });
      for (const alg of ['none', 'RS1', 'rs256', '', 'A128GCM'])
        expect(() => accept({ [signing]: alg })).toThrow(invalid);
      for (const alg of ['RSA1_5', 'PBES2-HS256+A128KW', 'none'])
        expect(() => accept({ [encryption]: alg })).toThrow(invalid);
      expect(() => accept({ [encryption]: 'RSA-OAEP-256', [contentEncryption]: 'A128CBC' })).toThrow(invalid);
    }
  });

  it('refuse content encryption without key management', () => {
    for (const use of ALGORITHM_USES) {
      const { contentEncryption } = ALGORITHM_MEMBERS[use];
      expect(() => accept({ [contentEncryption]: 'A256GCM' })).toThrow(invalid);
    }
  });

  it('refuse algorithms that a restricted server does not support', () => {
    const narrow = defaultSupportedMetadata({ signingAlgorithms: ['ES256'] });
    expect(accept({}, narrow).id_token_signed_response_alg).toBe('ES256');
    expect(() => accept({ id_token_signed_response_alg: 'RS256' }, narrow)).toThrow(invalid);
    // Clients sign with their own keys.
    expect(accept({ request_object_signing_alg: 'RS256' }, narrow)).toBeDefined();
  });
});

// A client that cannot keep a secret would share the key that verifies our signatures with everyone.
describe('symmetric algorithms', () => {
  const members = ALGORITHM_USES.flatMap((use) => {
    const { signing, encryption } = ALGORITHM_MEMBERS[use];
    const hmac = use === 'introspection' ? [] : HMAC_ALGORITHMS.map((alg) => ({ [signing]: alg }));
    return [...hmac, ...SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS.map((alg) => ({ [encryption]: alg }))];
  });

  it('are refused for clients that do not authenticate, and for no others (OpenID Connect Core 1.0 section 10)', () => {
    for (const member of members) {
      for (const method of ['client_secret_basic', 'private_key_jwt'])
        expect(accept({ ...member, token_endpoint_auth_method: method })).toMatchObject(member);
      expect(() => accept({ ...member, token_endpoint_auth_method: 'none' })).toThrow(invalid);
    }
  });

  it('make a client with only the implicit grant authenticate by default', () => {
    for (const member of members)
      expect(accept({ ...member, grant_types: ['implicit'] })).toMatchObject({
        ...member,
        token_endpoint_auth_method: 'client_secret_basic',
      });
  });
});

describe('token_endpoint_auth_signing_alg', () => {
  it('must match the authentication method', () => {
    const of = (method: string, alg: string) => ({
      token_endpoint_auth_method: method,
      token_endpoint_auth_signing_alg: alg,
    });
    for (const alg of HMAC_ALGORITHMS) {
      expect(accept(of('client_secret_jwt', alg))).toMatchObject(of('client_secret_jwt', alg));
      expect(() => accept(of('private_key_jwt', alg))).toThrow(invalid);
    }
    for (const alg of ['RS256', 'PS512', 'ES384', 'EdDSA']) {
      expect(accept(of('private_key_jwt', alg))).toMatchObject(of('private_key_jwt', alg));
      expect(() => accept(of('client_secret_jwt', alg))).toThrow(invalid);
    }
    for (const alg of ['none', 'HS1', 'RS']) {
      for (const method of ['client_secret_jwt', 'private_key_jwt'])
        expect(() => accept(of(method, alg))).toThrow(invalid);
    }
  });

  it('is left out if the client sends no assertion', () => {
    expect(accept({ token_endpoint_auth_signing_alg: 'RS256' })).not.toHaveProperty(
      'token_endpoint_auth_signing_alg',
    );
  });
});
