import { describe, expect, it } from 'vitest';
import { readHydraClient } from './hydra-client.js';

/** A client as the admin API of Hydra 2 exports it. */
const PORTAL = {
  client_id: '0938dd90-cf43-4d3d-85aa-966788fb6a36',
  client_name: 'Portal',
  redirect_uris: ['https://portal.example.org/cb'],
  grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
  response_types: ['code'],
  scope: 'offline_access offline openid',
  audience: ['https://api.example.org'],
  owner: '',
  policy_uri: '',
  allowed_cors_origins: [],
  tos_uri: '',
  client_uri: 'https://portal.example.org',
  logo_uri: '',
  contacts: null,
  client_secret_expires_at: 0,
  subject_type: 'public',
  jwks: {},
  token_endpoint_auth_method: 'client_secret_post',
  userinfo_signed_response_alg: 'none',
  created_at: '2025-12-24T07:04:13Z',
  updated_at: '2025-12-24T07:04:13.330955Z',
  metadata: { team: 'web' },
  registration_access_token: 'ory_at_x',
  registration_client_uri: 'https://hydra.example.org/oauth2/register/x',
  access_token_strategy: '',
  skip_consent: false,
  skip_logout_consent: null,
  authorization_code_grant_access_token_lifespan: null,
  refresh_token_grant_access_token_lifespan: '24h0m0s',
};

describe('a client of Hydra', () => {
  it('keeps the standard members and its custom data', () => {
    expect(readHydraClient(PORTAL)).toEqual({
      kind: 'client',
      id: PORTAL.client_id,
      metadata: {
        client_name: 'Portal',
        redirect_uris: ['https://portal.example.org/cb'],
        grant_types: PORTAL.grant_types,
        response_types: ['code'],
        scope: 'offline_access offline openid',
        client_uri: 'https://portal.example.org',
        subject_type: 'public',
        token_endpoint_auth_method: 'client_secret_post',
        data: { team: 'web' },
      },
      secret: {
        kind: 'lost',
        reason: 'The export has neither the secret (client_secret) nor its hash (client_secret_hash).',
      },
      warnings: [
        'The member audience is not supported.',
        'The member refresh_token_grant_access_token_lifespan is not supported.',
      ],
    });
  });

  it('replaces empty lists by the defaults, as Hydra does', () => {
    const client = readHydraClient({
      client_id: 'a',
      grant_types: [],
      response_types: [],
      jwks: { keys: [] },
    });
    expect(client).toMatchObject({ metadata: {}, warnings: [] });
  });

  it.each([
    '$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
    '$pbkdf2-sha256$i=25000,l=32$c2FsdA$aGFzaA',
    '$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA',
  ])('never imports a hash as a secret: %s', (client_secret) => {
    expect(readHydraClient({ ...PORTAL, client_secret })).toMatchObject({
      secret: { kind: 'hashed', value: client_secret, member: 'client_secret' },
    });
    expect(readHydraClient({ ...PORTAL, client_secret_hash: client_secret })).toMatchObject({
      secret: { kind: 'hashed', value: client_secret, member: 'client_secret_hash' },
    });
  });

  it('keeps a plaintext secret that was added to the export', () => {
    const client_secret = 'x'.repeat(43);
    expect(readHydraClient({ ...PORTAL, client_secret })).toMatchObject({
      secret: { kind: 'given', value: client_secret },
    });
  });

  it('reports no missing secret if none is used', () => {
    for (const token_endpoint_auth_method of ['none', 'private_key_jwt']) {
      expect(readHydraClient({ ...PORTAL, token_endpoint_auth_method })).toMatchObject({
        secret: { kind: 'none' },
      });
    }
  });
});
