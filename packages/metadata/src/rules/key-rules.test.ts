import { generateKeyPairSync } from 'node:crypto';
import type { JsonObject, JsonValue } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { defaultSupportedMetadata } from '../supported-metadata.js';
import { validateClientMetadata } from '../validate-client-metadata.js';

const SUPPORTED = defaultSupportedMetadata();
const accept = (input: JsonObject) =>
  validateClientMetadata({ redirect_uris: ['https://app.example.org/cb'], ...input }, SUPPORTED);
const invalid = expect.objectContaining({ code: 'invalid_client_metadata' });

const exported = (key: { export(options: { format: 'jwk' }): object }): JsonObject =>
  JSON.parse(JSON.stringify(key.export({ format: 'jwk' })));
const rsa = (modulusLength: number) => exported(generateKeyPairSync('rsa', { modulusLength }).publicKey);
const RSA = rsa(2048);
const RSA_1024 = rsa(1024);
const EC_PAIR = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const EC = exported(EC_PAIR.publicKey);
const EC_PRIVATE = exported(EC_PAIR.privateKey);
const ED = exported(generateKeyPairSync('ed25519').publicKey);
const UNKNOWN = { kty: 'AKP', alg: 'ML-DSA-44', pub: 'AAAA' };

/** A self-signed certificate. */
const CERTIFICATE =
  'MIIBdzCCAR2gAwIBAgIUSy+B9hkjO6iZ8IvgEWzf55j3BaUwCgYIKoZIzj0EAwIwETEPMA0GA1UEAwwGY2xpZW50MB4XDTI2MTEyMDE1MDkwM1oXDTM2MTExNzE1MDkwM1owETEPMA0GA1UEAwwGY2xpZW50MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE9Dkxn5AM1cz/YCw/DvsAciOiqFOF4CoS9cQzWTkGwJ5x7YrObNtO9Wo0ILB4M7b6xUiScFt/E68HhftR7Vmiw6NTMFEwHQYDVR0OBBYEFH3+mm82X5lyo+Ec8Ars5W1ktBKeMB8GA1UdIwQYMBaAFH3+mm82X5lyo+Ec8Ars5W1ktBKeMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhANss7Iw5e9h54hlhiFbfWtIkL2OzgEIjCoKZ3ALURPWMAiBgcaGPoVPdQKZj+84r/DqbHGO0NMkqmMofoS9d3Dmvow==';

const METHOD = { token_endpoint_auth_method: 'private_key_jwt' };
const keys = (...list: JsonValue[]) => ({ jwks: { keys: list } });

describe('jwks', () => {
  it('is kept as registered, including unknown members and key types', () => {
    const set = { jwks: { keys: [{ ...EC, kid: 'a', 'x-note': 1 }, UNKNOWN], comment: 'ours' } };
    expect(accept({ ...METHOD, ...set }).jwks).toStrictEqual(set.jwks);
  });

  it('cannot be combined with jwks_uri (RFC 7591 section 2)', () => {
    expect(() => accept({ ...METHOD, ...keys(EC), jwks_uri: 'https://app.example.org/jwks' })).toThrow(
      invalid,
    );
  });

  // A private key in a public record, a key that can be factored, or an oversized set.
  it('refuses bad key sets with a description that is safe in a response', () => {
    const sets: JsonValue[] = [
      {},
      { keys: null },
      { keys: EC },
      { keys: [null] },
      { keys: ['a'] },
      { keys: [{}] },
      { keys: [{ kty: 'EC' }] },
      { keys: [EC_PRIVATE] },
      { keys: [{ ...RSA, d: 'AQAB' }] },
      { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] },
      { keys: [RSA_1024] },
      { keys: [{ ...RSA, e: 'AQ' }] },
      { keys: [{ ...RSA, e: 'AAEAAQ' }] },
      { keys: [{ ...RSA, n: '' }] },
      { keys: [{ ...RSA, n: 'not base64url!' }] },
      { keys: [{ ...EC, x: EC['y'] ?? null, y: EC['x'] ?? null }] },
      { keys: [{ ...EC, crv: 'P-384' }] },
      { keys: [{ ...EC, x: 'AAAA' }] },
      { keys: [{ ...ED, x: 'AAAA' }] },
      { keys: [{ ...EC, kid: 1 }] },
      {
        keys: [
          { ...EC, kid: 'a' },
          { ...RSA, kid: 'a' },
        ],
      },
      { keys: Array.from({ length: 21 }, (_, i) => ({ ...EC, kid: String(i) })) },
      { keys: [{ ...EC, x5c: ['A'.repeat(70_000)] }] },
      { keys: [{ ...EC, 'x-note': Array.from({ length: 250 }, () => 1e300) }] },
      { keys: [{ ...EC, deep: [[[[[[[[1]]]]]]]] }] },
      { keys: [{ ...EC, note: '\u0000' }] },
    ];
    for (const jwks of sets) {
      for (const method of ['private_key_jwt', 'client_secret_basic']) {
        const attempt = () => accept({ token_endpoint_auth_method: method, jwks });
        expect(attempt, JSON.stringify(jwks).slice(0, 80)).toThrow(
          expect.objectContaining({
            code: 'invalid_client_metadata',
            description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
          }),
        );
      }
    }
  });
});

describe('a usable key', () => {
  const accepts = (input: JsonObject) => {
    try {
      return accept(input) !== undefined;
    } catch (error) {
      expect(error).toEqual(invalid);
      return false;
    }
  };

  it('is required by an authentication method that signs', () => {
    expect(accepts({ ...METHOD, jwks_uri: 'https://app.example.org/jwks' })).toBe(true);
    for (const key of [EC, RSA, ED, { ...EC, use: 'sig' }])
      expect(accepts({ ...METHOD, ...keys(key) })).toBe(true);
    for (const set of [{}, keys(), keys(UNKNOWN), keys({ ...EC, use: 'enc' })])
      expect(accepts({ ...METHOD, ...set })).toBe(false);
  });

  it('must have a certificate if the client authenticates with a self-signed one (RFC 8705 section 2.2.2)', () => {
    const client = { token_endpoint_auth_method: 'self_signed_tls_client_auth' };
    expect(accepts({ ...client, jwks_uri: 'https://app.example.org/jwks' })).toBe(true);
    const held = [
      { ...EC, x5c: [CERTIFICATE] },
      { ...EC, x5c: [CERTIFICATE, 'MII'], use: 'enc' },
      { ...UNKNOWN, x5c: [CERTIFICATE] },
    ];
    for (const key of held) expect(accepts({ ...client, ...keys(ED, key) })).toBe(true);
    const chains = [
      [],
      [''],
      ['MII'],
      [7],
      CERTIFICATE,
      ['MII', CERTIFICATE],
      [CERTIFICATE.slice(0, 200)],
      null,
    ];
    for (const x5c of chains)
      expect(accepts({ ...client, ...keys({ ...EC, x5c }) }), JSON.stringify(x5c)).toBe(false);
    for (const set of [{}, keys(), keys(EC), keys(RSA, ED)])
      expect(accepts({ ...client, ...set })).toBe(false);
  });

  it('must fit the algorithm', () => {
    const of = (alg: string, ...list: JsonValue[]) =>
      accepts({ ...METHOD, token_endpoint_auth_signing_alg: alg, ...keys(...list) });
    expect([of('ES256', EC), of('ES384', EC), of('RS256', EC), of('EdDSA', EC)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect([of('RS256', RSA), of('PS512', RSA), of('ES256', RSA), of('EdDSA', ED)]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect([of('RS256', { ...RSA, alg: 'PS256' }), of('ES256', RSA, EC)]).toEqual([false, true]);
  });

  it('is required to verify request objects and to encrypt to the client, but not to encrypt to the server', () => {
    expect(accepts({ request_object_signing_alg: 'ES256' })).toBe(false);
    expect(accepts({ request_object_signing_alg: 'ES256', ...keys(EC) })).toBe(true);
    expect(accepts({ request_object_signing_alg: 'HS256' })).toBe(true);
    for (const use of ['id_token', 'userinfo', 'authorization', 'introspection']) {
      const name = `${use}_encrypted_response_alg`;
      expect(accepts({ [name]: 'RSA-OAEP-256' })).toBe(false);
      expect(accepts({ [name]: 'RSA-OAEP-256', ...keys(EC) })).toBe(false);
      expect(accepts({ [name]: 'RSA-OAEP-256', ...keys({ ...RSA, use: 'enc' }) })).toBe(true);
      expect(accepts({ [name]: 'ECDH-ES', ...keys({ ...EC, use: 'sig' }) })).toBe(false);
      expect(accepts({ [name]: 'ECDH-ES+A256KW', ...keys(EC) })).toBe(true);
      expect(accepts({ [name]: 'dir' })).toBe(true);
    }
    expect(accepts({ request_object_encryption_alg: 'RSA-OAEP-256' })).toBe(true);
  });
});
