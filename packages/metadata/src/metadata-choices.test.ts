import { generateKeyPairSync } from 'node:crypto';
import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { CHOICE_MEMBERS, choicesOfMember } from './choice-members.js';
import { isMetadataMember } from './language-names.js';
import { defaultSupportedMetadata } from './supported-metadata.js';
import { validateClientMetadata } from './validate-client-metadata.js';

const SUPPORTED = defaultSupportedMetadata();
const BASE = { redirect_uris: ['https://app.example.org/cb'] };

const registered = (input: JsonObject, supported = SUPPORTED) =>
  validateClientMetadata({ ...BASE, ...input }, supported);

/** The set of one public key. */
function keySet(type: 'ec' | 'rsa'): JsonObject {
  const { publicKey } =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { keys: [JSON.parse(JSON.stringify(publicKey.export({ format: 'jwk' })))] };
}

const EC = keySet('ec');
const RSA = keySet('rsa');

function refusal(input: JsonObject): string {
  try {
    registered(input);
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_client_metadata' });
    return String(error);
  }
  throw new Error('it was accepted');
}

describe('a list of supported values', () => {
  it('is known for every single-valued member that the specification names and the server knows', () => {
    const names = ['subject_types_supported', 'token_endpoint_auth_methods_supported'];
    const algorithms = ['id_token', 'userinfo', 'request_object', 'authorization', 'introspection'].flatMap(
      (use) => ['signing_alg', 'encryption_alg', 'encryption_enc'].map((kind) => `${use}_${kind}`),
    );
    const lists = ['token_endpoint_auth_signing_alg', ...algorithms].map(
      (name) => `${name}_values_supported`,
    );
    expect([...CHOICE_MEMBERS.keys()].sort()).toEqual([...names, ...lists].sort());
    for (const [list, member] of CHOICE_MEMBERS) {
      expect(isMetadataMember(list), list).toBe(true);
      expect(choicesOfMember(member)).toBe(list);
    }
  });

  it('is input only: the one value that is registered stands in the member for it', () => {
    const metadata = registered({
      subject_types_supported: ['pairwise', 'public'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
      id_token_signing_alg_values_supported: ['ES256', 'PS256', 'XX256'],
      userinfo_signing_alg_values_supported: ['ES512', 'PS384'],
    });
    expect(metadata).toMatchObject({
      subject_type: 'public',
      token_endpoint_auth_method: 'client_secret_post',
      id_token_signed_response_alg: 'PS256',
      userinfo_signed_response_alg: 'PS384',
    });
    expect(Object.keys(metadata).filter((name) => name.endsWith('_supported'))).toEqual([]);
  });

  it('lets the server choose by its own order, whatever the order of the list', () => {
    const supported = defaultSupportedMetadata({ signingAlgorithms: ['ES256', 'RS256'] });
    for (const list of [
      ['RS256', 'ES256'],
      ['ES256', 'RS256'],
    ])
      expect(
        registered({ id_token_signing_alg_values_supported: list }, supported).id_token_signed_response_alg,
      ).toBe('ES256');
  });

  it('keeps a value that is given beside it if the server supports it', () => {
    expect(
      registered({
        token_endpoint_auth_method: 'none',
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'none'],
      }).token_endpoint_auth_method,
    ).toBe('none');
  });

  it('replaces a value that is given beside it and that the server does not support (section 4)', () => {
    const supported = defaultSupportedMetadata({ signingAlgorithms: ['ES256'] });
    expect(
      registered(
        {
          id_token_signing_alg_values_supported: ['ES256', 'PS256', 'RS256'],
          id_token_signed_response_alg: 'RS256',
        },
        supported,
      ).id_token_signed_response_alg,
    ).toBe('ES256');
  });

  it('must contain the value that is given beside it', () => {
    for (const [list, member] of CHOICE_MEMBERS)
      expect(refusal({ [list]: ['other'], [member]: 'given' }), list).toContain(
        `${list}: must contain the value of ${member}`,
      );
  });

  it('must contain a value that the server supports', () => {
    expect(refusal({ token_endpoint_auth_methods_supported: ['magic'] })).toMatch(
      /token_endpoint_auth_methods_supported: contains no value that is supported \(supported: client_secret_basic, /,
    );
    expect(refusal({ id_token_signing_alg_values_supported: [] })).toMatch(/contains no value/);
  });

  it('is an array of strings that can be stored and shown, as other members are', () => {
    const list = 'token_endpoint_auth_methods_supported';
    expect(refusal({ [list]: 'none' })).toMatch(/must be an array of at most 100 strings/);
    expect(refusal({ [list]: ['none', 1] })).toContain(`${list}[1]: must be a string`);
    expect(refusal({ [list]: ['none', 'a\u0000'] })).toContain(`${list}[1]: must not contain control`);
    expect(refusal({ [list]: Array(101).fill('none') })).toMatch(/at most 100/);
    expect(registered({ [list]: null }).token_endpoint_auth_method).toBe('client_secret_basic');
  });
});

describe('the authentication method of a list', () => {
  const method = (input: JsonObject, ...methods: readonly string[]) =>
    registered({ token_endpoint_auth_methods_supported: [...methods], ...input }).token_endpoint_auth_method;

  it('is one that the client has the keys for', () => {
    expect(method({}, 'private_key_jwt', 'none')).toBe('none');
    expect(method({ jwks: EC }, 'private_key_jwt', 'none')).toBe('private_key_jwt');
    expect(method({ jwks_uri: 'https://app.example.org/jwks' }, 'private_key_jwt', 'none')).toBe(
      'private_key_jwt',
    );
    expect(method({ jwks: EC }, 'self_signed_tls_client_auth', 'none')).toBe('none');
    expect(method({}, 'tls_client_auth', 'none')).toBe('none');
    expect(method({ tls_client_auth_san_dns: 'app.example.org' }, 'tls_client_auth', 'none')).toBe(
      'tls_client_auth',
    );
  });

  it('is one that signs with an algorithm of the client', () => {
    const algorithms = { token_endpoint_auth_signing_alg_values_supported: ['ES256', 'ES384'] };
    const chosen = registered({
      jwks: EC,
      token_endpoint_auth_methods_supported: ['client_secret_jwt', 'private_key_jwt'],
      ...algorithms,
    });
    expect(chosen).toMatchObject({
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'ES256',
    });
    expect(method({ jwks: RSA, ...algorithms }, 'private_key_jwt', 'none')).toBe('none');
    expect(method({ token_endpoint_auth_signing_alg: 'HS256' }, 'client_secret_jwt', 'private_key_jwt')).toBe(
      'client_secret_jwt',
    );
  });

  it('is not `none` for a client that gets tokens for itself, or shares a key with the server', () => {
    expect(method({ grant_types: ['client_credentials'], jwks: EC }, 'none', 'private_key_jwt')).toBe(
      'private_key_jwt',
    );
    expect(method({ id_token_signed_response_alg: 'HS256', jwks: EC }, 'none', 'private_key_jwt')).toBe(
      'private_key_jwt',
    );
  });

  it('is refused with the reason if the client has the keys for none', () => {
    expect(refusal({ token_endpoint_auth_methods_supported: ['private_key_jwt'] })).toContain(
      'token_endpoint_auth_method: needs a usable key in jwks or jwks_uri',
    );
  });
});

describe('the encryption of a list', () => {
  it('is one that the client has a key for, with a content encryption of its list', () => {
    expect(
      registered({
        jwks: EC,
        id_token_encryption_alg_values_supported: ['RSA-OAEP-256', 'ECDH-ES'],
        id_token_encryption_enc_values_supported: ['A256GCM'],
      }),
    ).toMatchObject({
      id_token_encrypted_response_alg: 'ECDH-ES',
      id_token_encrypted_response_enc: 'A256GCM',
    });
  });

  it('is left out without such a key, and its content encryption with it', () => {
    const metadata = registered({
      token_endpoint_auth_method: 'none',
      id_token_encryption_alg_values_supported: ['RSA-OAEP-256', 'dir'],
      id_token_encryption_enc_values_supported: ['A256GCM'],
      request_object_signing_alg_values_supported: ['ES256'],
    });
    expect(Object.keys(metadata).filter((name) => /encrypted|request_object_signing/.test(name))).toEqual([]);
  });
});
