import { X509Certificate } from 'node:crypto';
import { testCertificateDer } from '@vestibule/http/testing';
import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { loadSettings, SettingsError } from '../settings/load-settings.js';
import { checkRedisSettings, REDIS_SETTINGS } from './redis-settings.js';

const CANARY = 'canary-that-is-secret';
const CA = new X509Certificate(testCertificateDer()).toString();
const SENTINELS = 'rediss+sentinel://:password@one,two:26380/main';

const load = (environment: Readonly<Record<string, string>>) =>
  loadSettings(Type.Object(REDIS_SETTINGS), environment, [checkRedisSettings]);

function problemsOf(environment: Readonly<Record<string, string>>) {
  try {
    load(environment);
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    expect(JSON.stringify(error.problems)).not.toContain(CANARY);
    return error.problems.map(({ name }) => name);
  }
}

describe('the settings of Redis', () => {
  it('accept every URL format that the client supports, with certificates and sentinel credentials', () => {
    const good = [
      {},
      { REDIS_URL: 'redis://localhost' },
      { REDIS_URL: 'redis+cluster://user:password@one:7000,two:7001' },
      { REDIS_URL: SENTINELS, REDIS_CA: CA, REDIS_SENTINEL_PASSWORD: 'secret' },
      { REDIS_URL: SENTINELS, REDIS_SENTINEL_USERNAME: 'watcher', REDIS_SENTINEL_PASSWORD: 'secret' },
    ];
    for (const environment of good) expect(problemsOf(environment)).toEqual([]);
    expect(load({ REDIS_URL: SENTINELS }).REDIS_URL?.reveal()).toBe(SENTINELS);
  });

  it('refuse at startup what the client cannot parse, without showing the value', () => {
    const bad = [
      `http://${CANARY}`,
      `redis://${CANARY}@host`,
      `redis://host/${CANARY}`,
      `redis+sentinel://:${CANARY}@host`,
      `redis+cluster://:${CANARY}@host/1`,
      `redis://:${CANARY}@host?x=1`,
    ];
    for (const REDIS_URL of bad) expect(problemsOf({ REDIS_URL })).toEqual(['REDIS_URL']);
    for (const REDIS_CA of [CANARY, `-----BEGIN CERTIFICATE-----\n${CANARY}\n-----END CERTIFICATE-----`])
      expect(problemsOf({ REDIS_URL: SENTINELS, REDIS_CA })).toEqual(['REDIS_CA']);
  });

  it('refuse settings that would have no effect', () => {
    const REDIS_URL = 'redis://localhost';
    expect(problemsOf({ REDIS_URL, REDIS_CA: CA })).toEqual(['REDIS_CA']);
    expect(problemsOf({ REDIS_CA: CA })).toEqual(['REDIS_CA']);
    expect(problemsOf({ REDIS_URL, REDIS_SENTINEL_PASSWORD: 'secret' })).toEqual(['REDIS_SENTINEL_PASSWORD']);
    expect(problemsOf({ REDIS_URL: SENTINELS, REDIS_SENTINEL_USERNAME: 'watcher' })).toEqual([
      'REDIS_SENTINEL_USERNAME',
    ]);
  });
});
