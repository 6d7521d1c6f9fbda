import { describe, expect, it } from 'vitest';
import { discoveryMembers } from './discovery-members.js';
import { defaultSupportedMetadata } from './supported-metadata.js';

describe('discoveryMembers', () => {
  it('publishes exactly the values that client metadata may contain', () => {
    const supported = defaultSupportedMetadata({
      grantTypes: ['authorization_code'],
      signingAlgorithms: ['ES256'],
    });
    expect(discoveryMembers(supported)).toMatchObject({
      grant_types_supported: ['authorization_code'],
      response_types_supported: ['code'],
      subject_types_supported: ['public', 'pairwise'],
      id_token_signing_alg_values_supported: ['ES256', 'HS256', 'HS384', 'HS512'],
      introspection_signing_alg_values_supported: ['ES256'],
      id_token_encryption_enc_values_supported: expect.arrayContaining(['A128CBC-HS256']),
    });
  });

  it('publishes no empty list', () => {
    const none = { signing: [], encryption: [], contentEncryption: [] };
    const supported = defaultSupportedMetadata();
    const members = discoveryMembers({
      ...supported,
      algorithms: { ...supported.algorithms, authorization: none },
    });
    expect(Object.keys(members).filter((name) => name.startsWith('authorization_'))).toEqual([]);
    expect(Object.values(members).every((value) => Array.isArray(value) && value.length > 0)).toBe(true);
  });
});
