import { CLIENT_AUTH_METHODS } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { ALGORITHM_MEMBERS } from './algorithm-members.js';
import { ampleSecretLength, minimumSecretLength, needsClientSecret } from './client-secret-need.js';
import { ALGORITHM_USES, defaultSupportedMetadata } from './supported-metadata.js';
import { validateClientMetadata } from './validate-client-metadata.js';

const metadata = (input: JsonObject) =>
  validateClientMetadata(
    {
      redirect_uris: ['https://app.example.org/cb'],
      jwks_uri: 'https://app.example.org/jwks',
      tls_client_auth_san_dns: 'app.example.org',
      token_endpoint_auth_method: 'private_key_jwt',
      ...input,
    },
    defaultSupportedMetadata(),
  );

describe('needsClientSecret', () => {
  it('is true for the three methods that use a secret', () => {
    const needing = CLIENT_AUTH_METHODS.filter((token_endpoint_auth_method) =>
      needsClientSecret(metadata({ token_endpoint_auth_method })),
    );
    expect(needing).toEqual(['client_secret_basic', 'client_secret_post', 'client_secret_jwt']);
  });

  it('is true for messages that are signed or encrypted with a secret (OpenID Connect Core 1.0 section 10)', () => {
    for (const use of ALGORITHM_USES) {
      const { signing, encryption } = ALGORITHM_MEMBERS[use];
      for (const alg of ['dir', 'A128KW', 'A256GCMKW'])
        expect(needsClientSecret(metadata({ [encryption]: alg }))).toBe(true);
      expect(needsClientSecret(metadata({ [encryption]: 'ECDH-ES' }))).toBe(false);
      expect(needsClientSecret(metadata({ [signing]: 'ES256' }))).toBe(false);
      if (use !== 'introspection') expect(needsClientSecret(metadata({ [signing]: 'HS256' }))).toBe(true);
    }
  });
});

describe('secret lengths', () => {
  it('are those of the longest HMAC algorithm (RFC 7518 section 3.2)', () => {
    expect(minimumSecretLength(metadata({}))).toBe(0);
    expect(minimumSecretLength(metadata({ id_token_signed_response_alg: 'HS256' }))).toBe(32);
    expect(minimumSecretLength(metadata({ userinfo_signed_response_alg: 'HS384' }))).toBe(48);
    const both = metadata({ id_token_signed_response_alg: 'HS256', request_object_signing_alg: 'HS512' });
    expect(minimumSecretLength(both)).toBe(64);
  });

  it('suffice for every algorithm that an unspecified assertion algorithm permits', () => {
    const open = metadata({ token_endpoint_auth_method: 'client_secret_jwt' });
    expect([minimumSecretLength(open), ampleSecretLength(open)]).toEqual([32, 64]);
    const fixed = metadata({
      token_endpoint_auth_method: 'client_secret_jwt',
      token_endpoint_auth_signing_alg: 'HS384',
    });
    expect([minimumSecretLength(fixed), ampleSecretLength(fixed)]).toEqual([48, 48]);
  });
});
