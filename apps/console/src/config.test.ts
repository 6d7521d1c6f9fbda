import { randomBytes } from 'node:crypto';
import { SettingsError } from '@vestibule/service/settings';
import { describe, expect, it } from 'vitest';
import { loadConsoleConfig } from './config.js';

const GIVEN = {
  BASE_URL: 'https://as.example',
  CONSOLE_URL: 'https://console.example',
  DATABASE_URL: 'postgres://db/vestibule',
  ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
};

function problemsOf(settings: Readonly<Record<string, string>>): readonly string[] {
  try {
    loadConsoleConfig({ ...GIVEN, ...settings });
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems.map(({ name }) => name);
    throw error;
  }
}

describe('the settings of the console', () => {
  it('need an issuer, an address and a store, and no master token', () => {
    const config = loadConsoleConfig(GIVEN);
    expect(config).toMatchObject({
      PORT: 8087,
      CONSOLE_CLIENT_ID: 'vestibule-console',
      CONSOLE_SCOPE: 'openid profile',
      CONSOLE_ROLE_CLAIM: 'roles',
      CONSOLE_VIEWER_VALUES: ['viewer'],
      CONSOLE_OPERATOR_VALUES: ['operator'],
      CONSOLE_ADMIN_VALUES: ['admin'],
      CONSOLE_SESSION_SECONDS: 28_800,
    });
    expect(config.registration.BASE_URL).toBe(GIVEN.BASE_URL);
    expect(problemsOf({ BASE_URL: '', CONSOLE_URL: '', DATABASE_URL: '' })).toEqual([
      'BASE_URL',
      'CONSOLE_URL',
      'DATABASE_URL',
    ]);
  });

  it.each([
    'console.example',
    'http://console.example',
    'https://console.example/console',
    'https://console.example/?',
    'https://user@console.example',
    'https://console.example/#x',
  ])('refuse the address %s', (CONSOLE_URL) => {
    expect(problemsOf({ CONSOLE_URL })).toEqual(['CONSOLE_URL']);
  });

  it('take an address with or without a slash, and http on loopback', () => {
    for (const address of ['https://console.example/', 'http://localhost:8087', 'http://127.0.0.1:8087/'])
      expect(loadConsoleConfig({ ...GIVEN, CONSOLE_URL: address }).CONSOLE_URL).toBe(new URL(address).origin);
  });

  it('refuse a provider over http that is not allowed, a scope without openid, and sessions of more than a day', () => {
    expect(problemsOf({ CONSOLE_OPENID_PROVIDER: 'http://idp.example' })).toEqual([
      'CONSOLE_OPENID_PROVIDER',
    ]);
    expect(
      problemsOf({ CONSOLE_OPENID_PROVIDER: 'http://idp.example', EGRESS_ALLOW_HOSTS: 'idp.example' }),
    ).toEqual([]);
    expect(problemsOf({ CONSOLE_SCOPE: 'profile' })).toEqual(['CONSOLE_SCOPE']);
    expect(problemsOf({ CONSOLE_SESSION_SECONDS: '86401' })).toEqual(['CONSOLE_SESSION_SECONDS']);
    expect(problemsOf({ CONSOLE_PROMETHEUS_URL: 'ftp://prometheus' })).toEqual(['CONSOLE_PROMETHEUS_URL']);
    expect(problemsOf({ CONSOLE_PROMETHEUS_URL: 'http://prometheus:9090' })).toEqual([]);
  });

  it('refuse to start if no value gives a role', () => {
    const none = { CONSOLE_VIEWER_VALUES: ',', CONSOLE_OPERATOR_VALUES: ',' };
    expect(problemsOf({ ...none, CONSOLE_ADMIN_VALUES: ',' })).toEqual(['CONSOLE_ADMIN_VALUES']);
    expect(problemsOf(none)).toEqual([]);
  });

  it('take roles from the granted scope only of a provider that is named', () => {
    expect(problemsOf({ CONSOLE_ROLE_CLAIM: 'scope' })).toEqual(['CONSOLE_ROLE_CLAIM']);
    const CONSOLE_OPENID_PROVIDER = 'https://idp.example';
    expect(problemsOf({ CONSOLE_ROLE_CLAIM: 'scope', CONSOLE_OPENID_PROVIDER })).toEqual([]);
  });

  it('report problems of the rules for clients and entities too, each once', () => {
    expect(problemsOf({ CLIENT_SECRET_LENGTH: '1', FEDERATION_ENABLED: 'perhaps' })).toEqual([
      'CLIENT_SECRET_LENGTH',
      'FEDERATION_ENABLED',
    ]);
  });
});
