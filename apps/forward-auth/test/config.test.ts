import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { describeSettings } from '@vestibule/service/settings';
import { describe, expect, it } from 'vitest';
import { ForwardAuthSettings, loadForwardAuthConfig } from '../src/index.js';
import { aRoutesFile, settingsFor } from './support/forward-auth-fixture.js';

const ENDPOINT = { url: 'https://as.example/introspect' };

const problemsOf = (settings: Readonly<Record<string, string>>) => {
  try {
    loadForwardAuthConfig({ ...settingsFor(ENDPOINT), ...settings });
    return [];
  } catch (error) {
    const { problems } = error as { problems: { name: string; problem: string }[] };
    return problems.map(({ name, problem }) => `${name}: ${problem}`);
  }
};

const aKey = (namedCurve: string) =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

describe('the settings', () => {
  it('are few', () => {
    expect(problemsOf({})).toEqual([]);
    const { HOST, PORT, MANAGEMENT_HOST } = loadForwardAuthConfig(settingsFor(ENDPOINT));
    expect([HOST, PORT, MANAGEMENT_HOST]).toEqual(['127.0.0.1', 8086, '127.0.0.1']);
  });

  it('name every problem of the routes file', () => {
    const path = aRoutesFile([{ identifier: 'https://a.example', routes: [{ path: '/a' }, { path: 'b' }] }]);
    expect(problemsOf({ ROUTES_FILE: path })).toEqual([
      'ROUTES_FILE: resources[0].routes[0].scope: is missing; set "access": "public" for a route without token',
      'ROUTES_FILE: resources[0].routes[1].path: must be a path, or a path that ends in /*, which every server reads in the same way',
      'ROUTES_FILE: resources[0].routes[1].scope: is missing; set "access": "public" for a route without token',
    ]);
    expect(problemsOf({ ROUTES_FILE: `${path}.none` })).toEqual(['ROUTES_FILE: the file cannot be read']);
    writeFileSync(path, ' '.repeat(4_194_305));
    expect(problemsOf({ ROUTES_FILE: path })).toEqual([
      'ROUTES_FILE: the file must have at most 4194304 bytes',
    ]);
  });

  it('have the credential of the method, and no other one', () => {
    const key = aKey('P-256');
    const keyed = { INTROSPECTION_AUTH_METHOD: 'private_key_jwt', INTROSPECTION_CLIENT_SECRET: '' };
    expect(problemsOf({ INTROSPECTION_AUTH_METHOD: 'client_secret_post' })).toEqual([]);
    expect(problemsOf({ ...keyed, INTROSPECTION_CLIENT_KEY: key })).toEqual([]);
    expect(problemsOf({ INTROSPECTION_CLIENT_SECRET: '' })).toEqual([
      'INTROSPECTION_CLIENT_SECRET: is required with client_secret_basic',
    ]);
    expect(problemsOf(keyed)).toEqual(['INTROSPECTION_CLIENT_KEY: is required with private_key_jwt']);
    expect(problemsOf({ INTROSPECTION_CLIENT_KEY: key })).toEqual([
      'INTROSPECTION_CLIENT_KEY: has no effect with client_secret_basic',
    ]);
    expect(problemsOf({ ...keyed, INTROSPECTION_CLIENT_KEY: key + key })).toEqual([
      'INTROSPECTION_CLIENT_KEY: must be a PEM private key on the curve P-256 or Ed25519',
    ]);
  });

  it('cache tokens for a time only without the stream of changes', () => {
    expect(problemsOf({ TOKEN_CACHE_SECONDS: '60' })).toEqual([]);
    const changes = { TOKEN_CHANGES_FOLLOWED: 'true' };
    expect(problemsOf({ ...changes, TOKEN_CACHE_SECONDS: '60' })).toEqual([
      'TOKEN_CACHE_SECONDS: needs TOKEN_CHANGES_FOLLOWED=false',
    ]);
    const TOKEN_CHANGES_ENDPOINT = 'https://as.example/changes';
    expect(problemsOf({ ...changes, TOKEN_CHANGES_ENDPOINT })).toEqual([]);
    expect(problemsOf({ TOKEN_CHANGES_ENDPOINT })).toEqual([
      'TOKEN_CHANGES_ENDPOINT: needs TOKEN_CHANGES_FOLLOWED=true',
    ]);
  });

  it('have endpoints over https, or on loopback and allowed hosts', () => {
    const endpoint = { INTROSPECTION_ENDPOINT: 'http://introspection:8082/token/introspect' };
    expect(problemsOf(endpoint)).toEqual([
      'INTROSPECTION_ENDPOINT: must be an https URL; http is for loopback addresses and hosts in EGRESS_ALLOW_HOSTS only',
    ]);
    expect(problemsOf({ ...endpoint, EGRESS_ALLOW_HOSTS: 'introspection:8082' })).toEqual([]);
    expect(problemsOf({ INTROSPECTION_ENDPOINT: 'introspection' })).toEqual([
      'INTROSPECTION_ENDPOINT: must be a URL',
    ]);
  });

  it('refuse keys that cannot sign, and nonce keys that can be guessed', () => {
    expect(problemsOf({ UPSTREAM_TOKEN_KEYS: aKey('P-384') })).toEqual([
      'UPSTREAM_TOKEN_KEYS: must be PEM private keys on the curves P-256 and Ed25519',
    ]);
    expect(problemsOf({ DPOP_NONCE_KEY: 'short' })).toEqual([
      'DPOP_NONCE_KEY: must be 32 or more random bytes in base64url',
    ]);
    expect(problemsOf({ UPSTREAM_TOKEN_LIFETIME_SECONDS: '61' })).toHaveLength(1);
  });

  it('show each default in a form that can be set', () => {
    const rows = describeSettings(ForwardAuthSettings).filter(
      ({ default: value }) => value !== 'none' && value !== 'required',
    );
    for (const { name, default: value } of rows) expect(problemsOf({ [name]: value }), name).toEqual([]);
  });
});
