import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { loadAuthorizationConfig } from './config.js';

const REQUIRED = {
  BASE_URL: 'https://as.example',
  DATABASE_URL: 'postgres://u:p@localhost/db',
  ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
  MASTER_TOKEN_SHA256: 'a'.repeat(64),
};

it('signs with RS256 and issues for short times unless something else is set', () => {
  expect(loadAuthorizationConfig(REQUIRED)).toMatchObject({
    PORT: 8085,
    SIGNING_ALGORITHMS: ['RS256', 'ES256', 'PS256', 'EdDSA'],
    ACCESS_TOKEN_SIGNING_ALG: 'RS256',
    ACCESS_TOKEN_LENGTH: 43,
    ACCESS_TOKEN_LIFETIME_SECONDS: 600,
    ID_TOKEN_LIFETIME_SECONDS: 600,
    INITIAL_ACCESS_TOKEN_LIFETIME_SECONDS: 86_400,
  });
});

it.each([
  ['MASTER_TOKEN_SHA256', ''],
  ['MASTER_TOKEN_SHA256', 'plain-master-token'],
  ['ACCESS_TOKEN_SIGNING_ALG', 'ES384'],
  ['ACCESS_TOKEN_SIGNING_ALG', 'HS256'],
  ['SIGNING_ALGORITHMS', 'none'],
  ['ACCESS_TOKEN_LENGTH', '42'],
  ['ACCESS_TOKEN_LIFETIME_SECONDS', '0'],
  ['ID_TOKEN_LIFETIME_SECONDS', '31536001'],
  ['INITIAL_ACCESS_TOKEN_LIFETIME_SECONDS', '1.5'],
])('refuses %s=%s by name', (name, value) => {
  expect(() => loadAuthorizationConfig({ ...REQUIRED, [name]: value })).toThrow(new RegExp(name));
});
