import { randomBytes } from 'node:crypto';
import { SettingsError } from '@vestibule/service/settings';
import { describe, expect, it } from 'vitest';
import { loadIntrospectionConfig } from './config.js';

const REQUIRED = {
  BASE_URL: 'https://as.example',
  DATABASE_URL: 'postgres://localhost/vestibule',
  ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
};

describe('loadIntrospectionConfig', () => {
  it('has defaults for all settings but the issuer, the database and the keys', () => {
    expect(loadIntrospectionConfig(REQUIRED)).toMatchObject({
      BASE_URL: 'https://as.example',
      PORT: 8082,
      INTROSPECTION_PRUNE_AUDIENCE: true,
      CLIENT_SECRET_OVERLAP_SECONDS: 0,
    });
  });

  it('reports every problem at once', () => {
    const environment = { INTROSPECTION_PRUNE_AUDIENCE: 'perhaps', CLIENT_SECRET_OVERLAP_SECONDS: '-1' };
    const problems = () => {
      try {
        loadIntrospectionConfig(environment);
        return [];
      } catch (error) {
        if (!(error instanceof SettingsError)) throw error;
        return error.problems.map(({ name }) => name);
      }
    };
    expect(problems().toSorted()).toEqual([
      'BASE_URL',
      'CLIENT_SECRET_OVERLAP_SECONDS',
      'DATABASE_URL',
      'ENCRYPTION_KEYS',
      'INTROSPECTION_PRUNE_AUDIENCE',
    ]);
  });

  it('refuses response types that other tokens have, and invalid ones', () => {
    const load = (text: string) => loadIntrospectionConfig({ ...REQUIRED, INTROSPECTION_JWT_TYPE: text });
    for (const type of ['token-introspection+jwt', 'JWT', 'x.answer+jwt'])
      expect(load(type).INTROSPECTION_JWT_TYPE).toBe(type);
    for (const type of ['at+jwt', 'AT+JWT', 'logout+jwt', 'iat+jwt', 'entity-statement+jwt', 'a/b', 'a b'])
      expect(() => load(type), type).toThrow(SettingsError);
  });
});
