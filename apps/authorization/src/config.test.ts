import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { loadAuthorizationConfig } from './config.js';

const REQUIRED = {
  BASE_URL: 'https://as.example',
  DATABASE_URL: 'postgres://u:p@localhost/db',
  ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
  MASTER_TOKEN_SHA256: 'a'.repeat(64),
};

it('signs with RS256 and issues short-lived tokens by default', () => {
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
  ['PKCE_REQUIRED', 'none'],
  ['CHANGES_WEBHOOK_URL', 'team.example/changes'],
  ['CHANGES_WEBHOOK_URL', 'http://team.example/changes'],
  ['CHANGES_WEBHOOK_URL', 'https://user:password@team.example/changes'],
  ['CHANGES_WEBHOOK_URL', 'https://team.example/changes#fragment'],
  ['CHANGES_WEBHOOK_URL', 'https://te*am.example/changes'],
  ['CHANGES_WEBHOOK_URL', 'https://team.example:0/changes'],
  ['FAILED_AUTHENTICATIONS_PER_MINUTE', '-1'],
  ['UPSTREAM_ISSUER', 'login.example'],
  ['UPSTREAM_ISSUER', 'http://login.example'],
  ['UPSTREAM_ISSUER', 'https://login.example?tenant=1'],
  ['UPSTREAM_ISSUER', 'https://user:password@login.example'],
  ['UPSTREAM_CLIENT_ID', 'us'],
  ['UPSTREAM_CLIENT_SECRET', 'a secret'],
  ['UPSTREAM_SCOPE', 'profile email'],
  ['RESOURCE_DEFAULT_SCOPES', 'read'],
  ['RESOURCE_DEFAULT_SCOPES', '["https://api.example"]'],
  ['RESOURCE_DEFAULT_SCOPES', '{"https://api.example": ""}'],
  ['RESOURCE_DEFAULT_SCOPES', '{"https://api.example": ["read"]}'],
  ['RESOURCE_DEFAULT_SCOPES', '{"https://api.example": "re\\ad"}'],
  ['RESOURCE_DEFAULT_SCOPES', '{"api": "read"}'],
  ['RESOURCE_DEFAULT_SCOPES', '{"https://api.example": "read", "https://api.example/": "write"}'],
  ['PROTECTED_RESOURCES', 'api.example'],
  ['PROTECTED_RESOURCES', 'http://api.example'],
  ['PROTECTED_RESOURCES', 'urn:example:api'],
  ['PROTECTED_RESOURCES', 'https://api.example#a'],
  ['PROTECTED_RESOURCES', 'https://user:secret@api.example'],
  ['PROTECTED_RESOURCES', 'https://api.example https://other.example'],
])('refuses %s=%s by name', (name, value) => {
  expect(() => loadAuthorizationConfig({ ...REQUIRED, [name]: value })).toThrow(new RegExp(name));
});

it('takes the protected resources as they are written, each once', () => {
  const resources = (PROTECTED_RESOURCES: string) =>
    loadAuthorizationConfig({ ...REQUIRED, PROTECTED_RESOURCES }).PROTECTED_RESOURCES;
  expect(resources('https://api.example/, http://localhost:9000/mcp?a,https://api.example/')).toEqual([
    'https://api.example/',
    'http://localhost:9000/mcp?a',
  ]);
  expect(resources('')).toEqual([]);
});

it('sends changes over http only to loopback addresses and to hosts in EGRESS_ALLOW_HOSTS', () => {
  const webhook = (CHANGES_WEBHOOK_URL: string, EGRESS_ALLOW_HOSTS = '') =>
    loadAuthorizationConfig({ ...REQUIRED, CHANGES_WEBHOOK_URL, EGRESS_ALLOW_HOSTS }).CHANGES_WEBHOOK_URL
      ?.href;
  expect(webhook('')).toBeUndefined();
  expect(webhook('http://localhost:3001/changes')).toBe('http://localhost:3001/changes');
  expect(webhook('http://team:3001/changes?a=b', 'team:3001')).toBe('http://team:3001/changes?a=b');
  expect(() => webhook('http://team:3001/changes', 'team:3002')).toThrow(
    'CHANGES_WEBHOOK_URL: must be an https URL; http is for loopback addresses and hosts in EGRESS_ALLOW_HOSTS only',
  );
});

/** The names of the demonstration accounts. */
function demoUsers(settings: Readonly<Record<string, string>>): readonly string[] {
  return [...loadAuthorizationConfig({ ...REQUIRED, ...settings }).DEMO_USERS.keys()];
}

const LOCAL = { BASE_URL: 'http://localhost:8085' };

it.each(['127.0.0.1', '127.0.0.2', 'localhost', '::1'])(
  'has a demonstration login if both BASE_URL and HOST, here %s, are loopback addresses',
  (HOST) => {
    expect(demoUsers({ ...LOCAL, HOST })).toEqual(['alice', 'bob']);
    expect(demoUsers({ ...LOCAL, HOST, DEMO_USERS: 'carol:x' })).toEqual(['carol']);
  },
);

it.each([
  ['a public BASE_URL', { HOST: '127.0.0.1' }, /DEMO_USERS.*BASE_URL/],
  ['a public BASE_URL, whatever HOST is', { HOST: '127.0.0.1', DEMO_USERS_ON_ANY_HOST: 'true' }, /BASE_URL/],
  ['the default HOST', LOCAL, /DEMO_USERS.*HOST/],
  ...['0.0.0.0', '::', '192.0.2.1', '127.0.0.1.example', 'host.example'].map(
    (HOST) => [`HOST=${HOST}`, { ...LOCAL, HOST }, /DEMO_USERS.*HOST/] as const,
  ),
] as const)('has none with %s, and refuses DEMO_USERS by name', (_what, settings, problem) => {
  expect(demoUsers(settings)).toEqual([]);
  expect(() => demoUsers({ ...settings, DEMO_USERS: 'carol:x' })).toThrow(problem);
});

it('has one on any HOST with DEMO_USERS_ON_ANY_HOST, as in a container', () => {
  const container = { ...LOCAL, HOST: '0.0.0.0', DEMO_USERS_ON_ANY_HOST: 'true' };
  expect(demoUsers(container)).toEqual(['alice', 'bob']);
  expect(demoUsers({ ...container, DEMO_USERS: 'carol:x' })).toEqual(['carol']);
});

it('needs a client at the other provider, and has no accounts of its own then', () => {
  const upstream = {
    ...REQUIRED,
    BASE_URL: 'http://localhost:8085',
    HOST: '127.0.0.1',
    UPSTREAM_ISSUER: 'https://login.example',
    UPSTREAM_CLIENT_ID: 'us',
    UPSTREAM_CLIENT_SECRET: 'a secret',
  };
  expect(loadAuthorizationConfig(upstream)).toMatchObject({
    DEMO_USERS: new Map(),
    UPSTREAM_SCOPE: 'openid profile email',
    UPSTREAM_ACR_VALUES: [],
  });
  for (const name of ['UPSTREAM_CLIENT_ID', 'UPSTREAM_CLIENT_SECRET'])
    expect(() => loadAuthorizationConfig({ ...upstream, [name]: undefined })).toThrow(new RegExp(name));
  expect(() => loadAuthorizationConfig({ ...upstream, DEMO_USERS: 'ada:ada' })).toThrow(/DEMO_USERS/);
});
