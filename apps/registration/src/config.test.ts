import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { loadRegistrationConfig } from './config.js';

const REQUIRED = {
  BASE_URL: 'https://as.example',
  DATABASE_URL: 'postgres://u:p@localhost/db',
  ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
  MASTER_TOKEN_SHA256: 'a'.repeat(64),
};

it('is in managed mode, rotates credentials and never expires secrets by default', () => {
  expect(loadRegistrationConfig(REQUIRED)).toMatchObject({
    PORT: 8081,
    ALLOW_OPEN_REGISTRATION: false,
    REGISTRATION_CREATED_STATUS: 200,
    REGISTRABLE_GRANT_TYPES: { length: 7 },
    CLIENT_ID_LENGTH: 22,
    CLIENT_SECRET_LENGTH: 43,
    REGISTRATION_TOKEN_LENGTH: 43,
    CLIENT_SECRET_LIFETIME_SECONDS: 0,
    CLIENT_SECRET_OVERLAP_SECONDS: 0,
    ROTATE_SECRET_ON_UPDATE: true,
    ROTATE_REGISTRATION_TOKEN_ON_UPDATE: true,
    ALLOW_LOOPBACK_REDIRECT_URIS: false,
    EGRESS_ALLOW_HOSTS: [],
  });
});

it('refuses to start if no client could ever be registered', () => {
  const { MASTER_TOKEN_SHA256: _, ...without } = REQUIRED;
  expect(() => loadRegistrationConfig(without)).toThrow(/MASTER_TOKEN_SHA256/);
  expect(loadRegistrationConfig({ ...without, ALLOW_OPEN_REGISTRATION: 'true' }).MASTER_TOKEN_SHA256).toEqual(
    [],
  );
});

it.each([
  ['REGISTRATION_CREATED_STATUS', '202'],
  ['REGISTRABLE_GRANT_TYPES', 'authorization_code,device'],
  ['REGISTRABLE_GRANT_TYPES', 'authorization_code,urn:x'],
  ['REGISTRABLE_GRANT_TYPES', 'implicit,implicit'],
  ['OPEN_REGISTRATION_GRANT_TYPES', 'password'],
  ['OPEN_REGISTRATION_GRANT_TYPES', 'urn:example:not-registrable'],
  ['PRIVATE_USE_SCHEMES', 'javascript'],
  ['PRIVATE_USE_SCHEMES', 'org.example'],
  ['PRIVATE_USE_SCHEMES', 'myapp:'],
  ['CLIENT_SCOPE_MAX_LENGTH', '8193'],
  ['CLIENT_ID_LENGTH', '21'],
  ['CLIENT_SECRET_LENGTH', '42'],
  ['REGISTRATION_TOKEN_LENGTH', '257'],
  ['CLIENT_SECRET_LIFETIME_SECONDS', '-1'],
  ['ALLOW_OPEN_REGISTRATION', 'maybe'],
  ['ENCRYPTION_KEYS', 'short'],
  ['EGRESS_ALLOW_HOSTS', 'http://localhost:3000'],
  ['EGRESS_ALLOW_HOSTS', 'localhost:3000/path'],
  ['EGRESS_ALLOW_HOSTS', 'user@localhost'],
  ['EGRESS_ALLOW_HOSTS', '*.example'],
  ['IDEMPOTENCY_RETENTION_SECONDS', '-1'],
  ['SOFTWARE_STATEMENT_REQUIRED', 'maybe'],
  ['SOFTWARE_STATEMENT_ISSUERS', '['],
  ['SOFTWARE_STATEMENT_ISSUERS', '[]'],
  ['SOFTWARE_STATEMENT_ISSUERS', '{"v":"http://vendor.example/jwks"}'],
  ['SOFTWARE_STATEMENT_ISSUERS', '{"v":"ftp://vendor.example/jwks"}'],
  ['SOFTWARE_STATEMENT_ISSUERS', '{"v":{"keys":[]}}'],
  ['SOFTWARE_STATEMENT_ISSUERS', '{"v":"https://a.example","v":"https://b.example"}'],
  ['REGISTRATION_POLICY', '{'],
  ['REGISTRATION_POLICY', '{"other":{}}'],
  ['REGISTRATION_POLICY', '{"any":{"no_member":{}}}'],
  ['REGISTRATION_POLICY', '{"any":{"scope":{"regexp":"a"}}}'],
  ['REGISTRATION_POLICY', '{"any":{"client_name":{"value":["a"]}}}'],
  ['REGISTRATION_POLICY', '{"any":{},"any":{}}'],
  ['REGISTRATION_POLICY', '{"any":{"scope":{"value":"a"}},"anonymous":{"scope":{"value":"b"}}}'],
  ['REGISTRATION_POLICY', '{"any":{"id_token_encrypted_response_enc":{"default":"A256GCM"}}}'],
  ['EGRESS_ALLOW_HOSTS', 'localhost,localhost:0'],
  ['EGRESS_ALLOW_HOSTS', 'localhost:99999'],
])('refuses %s=%s and names the setting without quoting its value', (name, value) => {
  const load = () => loadRegistrationConfig({ ...REQUIRED, [name]: value });
  expect(load).toThrow(new RegExp(name));
  expect(load).not.toThrow(value);
});

it('refuses to require software statements if no issuer is trusted', () => {
  expect(() => loadRegistrationConfig({ ...REQUIRED, SOFTWARE_STATEMENT_REQUIRED: 'true' })).toThrow(
    /SOFTWARE_STATEMENT_ISSUERS/,
  );
});

it('accepts hosts with and without a port', () => {
  const text = 'localhost:3000, 127.0.0.1 ,[::1]:8443,rp.example';
  expect(loadRegistrationConfig({ ...REQUIRED, EGRESS_ALLOW_HOSTS: text }).EGRESS_ALLOW_HOSTS).toEqual([
    'localhost:3000',
    '127.0.0.1',
    '[::1]:8443',
    'rp.example',
  ]);
});
