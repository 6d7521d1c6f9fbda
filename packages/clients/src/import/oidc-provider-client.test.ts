import { describe, expect, it } from 'vitest';
import { readOidcProviderClient } from './oidc-provider-client.js';

/** The payload that the library gives an adapter to store. */
const STORED = {
  client_id: 'Xk2_0-fW8bVq',
  client_id_issued_at: 1_700_000_000,
  client_secret: 'v8GqZ1mX0sT4uY6bN2cKd9LpHw3JfRaE5oIxQzUkWtVyBnMl',
  client_secret_expires_at: 0,
  client_name: 'Wiki',
  'client_name#de': 'Wiki (deutsch)',
  application_type: 'web',
  grant_types: ['authorization_code', 'urn:openid:params:grant-type:ciba'],
  response_types: ['code', 'none'],
  redirect_uris: ['https://wiki.example.org/cb'],
  post_logout_redirect_uris: [],
  require_auth_time: false,
  subject_type: 'public',
  token_endpoint_auth_method: 'client_secret_basic',
  id_token_signed_response_alg: 'RS256',
  introspection_signed_response_alg: 'RS256',
  authorization_details_types: [],
  backchannel_user_code_parameter: false,
  use_mtls_endpoint_aliases: true,
};

describe('a client that node-oidc-provider stored', () => {
  it('keeps its metadata, identifier and secret', () => {
    const { client_id, client_id_issued_at, client_secret, client_secret_expires_at, ...rest } = STORED;
    const { backchannel_user_code_parameter, use_mtls_endpoint_aliases, ...metadata } = rest;
    expect(readOidcProviderClient(STORED)).toEqual({
      kind: 'client',
      id: client_id,
      metadata: { ...metadata, grant_types: STORED.grant_types, response_types: ['code'] },
      secret: { kind: 'given', value: client_secret },
      warnings: [
        'The response type none is left out.',
        'The member use_mtls_endpoint_aliases is not supported.',
      ],
    });
  });

  it('is found in the row of a store', () => {
    for (const row of [
      { _id: 'x', payload: STORED },
      { id: 'x', data: STORED, grantId: null },
    ]) {
      expect(readOidcProviderClient(row)).toEqual(readOidcProviderClient(STORED));
    }
  });

  it('has a warning with the former expiry of its secret', () => {
    expect(readOidcProviderClient({ ...STORED, client_secret_expires_at: 1_900_000_000 })).toMatchObject({
      warnings: expect.arrayContaining([
        'The expiry of the secret is not carried over: its lifetime starts now.',
      ]),
    });
  });

  it('is distinguished from a client whose secret is missing', () => {
    const { client_secret: _, ...without } = STORED;
    expect(readOidcProviderClient(without)).toMatchObject({ secret: { kind: 'lost' } });
    expect(readOidcProviderClient({ ...without, token_endpoint_auth_method: 'none' })).toMatchObject({
      secret: { kind: 'none' },
    });
  });

  it('is skipped without identifier', () => {
    for (const client_id of [undefined, null, '', 7, {}]) {
      const entry = { ...STORED, client_id: client_id ?? null };
      expect(readOidcProviderClient(entry)).toMatchObject({ kind: 'passed_over' });
    }
  });
});
