import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEST_KEYS } from '@vestibule/testkit';
import Type from 'typebox';
import { afterAll, expect, it } from 'vitest';
import { loadSettings, SettingsError } from '../settings/load-settings.js';
import {
  AUTHORIZATION_SERVER_SETTINGS,
  checkAuthorizationServerSettings,
} from './authorization-server-settings.js';
import { EGRESS_SETTINGS } from './egress-settings.js';

const folder = mkdtempSync(join(tmpdir(), 'vestibule-jwks-'));
afterAll(() => rmSync(folder, { recursive: true }));

const Settings = Type.Object({ ...AUTHORIZATION_SERVER_SETTINGS, ...EGRESS_SETTINGS });

const load = (AUTHORIZATION_SERVER_JWKS: string, EGRESS_ALLOW_HOSTS = '') =>
  loadSettings(Settings, { AUTHORIZATION_SERVER_JWKS, EGRESS_ALLOW_HOSTS }, [
    checkAuthorizationServerSettings,
  ]);

function problemOf(...values: Parameters<typeof load>): string | undefined {
  try {
    load(...values);
    return undefined;
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
}

const file = (content: string) => {
  const path = join(folder, 'jwks.json');
  writeFileSync(path, content);
  return path;
};

it('is the path of a file with public keys, or an https URL', () => {
  const path = file(JSON.stringify({ keys: [TEST_KEYS.es256.publicJwk] }));
  expect(load(path).AUTHORIZATION_SERVER_JWKS).toEqual({ kind: 'file', path });
  const url = 'https://as.example/jwks?all=true';
  expect(load(url).AUTHORIZATION_SERVER_JWKS).toEqual({ kind: 'url', url: new URL(url) });
  expect(load('').AUTHORIZATION_SERVER_JWKS).toBeUndefined();
});

it('is an http URL only for loopback addresses and hosts in EGRESS_ALLOW_HOSTS', () => {
  for (const host of ['localhost:3000', '127.0.0.1', '[::1]:3000'])
    expect(problemOf(`http://${host}/jwks`), host).toBeUndefined();
  expect(problemOf('http://keycloak:8080/certs', 'keycloak:8080')).toBeUndefined();
  for (const allowed of ['', 'keycloak:8081', 'other'])
    expect(problemOf('http://keycloak:8080/certs', allowed)).toBe(
      'AUTHORIZATION_SERVER_JWKS: must be an https URL; http is for loopback addresses and hosts in EGRESS_ALLOW_HOSTS only',
    );
});

it('is refused for a URL whose host or port cannot be allowed', () => {
  for (const host of ['a*b.example', 'a~b.example', 'as.example:0'])
    expect(problemOf(`https://${host}/jwks`), host).toMatch(/^AUTHORIZATION_SERVER_JWKS: the host must be /);
});

it('is refused for a URL with a user name, a fragment or another scheme, which is not quoted', () => {
  for (const url of [
    'https://user:canary@as.example/jwks',
    'https://as.example/jwks#canary',
    'ftp://canary.example/jwks',
    'https://as.example./canary',
    'https://as.example\\canary',
    'https://',
    `https://as.example/${'canary'.repeat(500)}`,
  ])
    expect(problemOf(url)).toBe(
      'AUTHORIZATION_SERVER_JWKS: must be an https URL, or the path of a file; a URL has no user name and no fragment',
    );
});

it('is refused for a file that is not a set of public keys, with the reason and without its content', () => {
  const { d } = TEST_KEYS.es256.privateJwk;
  const jwk = { ...TEST_KEYS.es256.publicJwk, d };
  const cases: readonly (readonly [string, string])[] = [
    [join(folder, 'absent.json'), 'the file cannot be read'],
    [folder, 'the file cannot be read'],
    [file(' '.repeat(65_537)), 'the file has more than 65536 bytes'],
  ];
  for (const [path, reason] of cases)
    expect(problemOf(path)).toBe(
      `AUTHORIZATION_SERVER_JWKS: must name a file with a JWK Set of public keys: ${reason}`,
    );
  const problem = problemOf(file(JSON.stringify({ keys: [jwk] })));
  expect(problem).toContain('keys[0].d: private and symmetric keys are refused; list public keys only');
  expect(problem).not.toContain(d);
});
