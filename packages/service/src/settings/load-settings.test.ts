import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import Type from 'typebox';
import { afterAll, describe, expect, it } from 'vitest';
import { portSetting, SHARED_SETTINGS } from '../shared-settings/shared-settings.js';
import { type Environment, loadSettings, SettingsError } from './load-settings.js';
import { settingsReference } from './settings-reference.js';

const schema = Type.Object({
  ...SHARED_SETTINGS,
  PORT: portSetting(8081),
  LIFETIME_SECONDS: Type.Integer({ description: 'How long.', default: 3600, minimum: 1, maximum: 86_400 }),
  ALLOWED_HOSTS: Type.Array(Type.String(), { description: 'Which hosts.', default: [] }),
  ANCHORS: Type.Record(Type.String(), Type.Object({ keys: Type.Array(Type.Object({})) }), {
    description: 'Trust anchors | and more.',
    default: {},
  }),
  LABEL: Type.Optional(
    Type.String({ description: 'A label.', minLength: 2, maxLength: 8, pattern: '^[a-z]+$' }),
  ),
});

const CANARY = 'canary7f3a';
const valid = {
  BASE_URL: 'https://as.example/',
  DATABASE_URL: `postgres://u:${CANARY}@db/x`,
} as const;
const load = (environment: Environment) => loadSettings(schema, { ...valid, ...environment });

const folder = mkdtempSync(join(tmpdir(), 'settings-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

function problemsOf(work: () => unknown): readonly { name: string; problem: string }[] {
  try {
    work();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    expect(error.message).toBe(error.problems.map(({ name, problem }) => `${name}: ${problem}`).join('\n'));
    expect(inspect(error)).not.toContain(CANARY);
    return error.problems;
  }
  throw new Error('accepted');
}

describe('loadSettings', () => {
  it('fills in defaults and converts by type', () => {
    const settings = load({});
    expect({ ...settings, DATABASE_URL: 0 }).toEqual({
      BASE_URL: 'https://as.example',
      HOST: '0.0.0.0',
      MANAGEMENT_HOST: '127.0.0.1',
      PORT: 8081,
      DATABASE_URL: 0,
      DATABASE_POOL_SIZE: 10,
      MASTER_TOKEN_SHA256: [],
      TRUSTED_PROXIES: [],
      API_PAGE_ENABLED: true,
      LOG_LEVEL: 'info',
      RATE_LIMITS_ENABLED: true,
      SHUTDOWN_DRAIN_MS: 1500,
      LIFETIME_SECONDS: 3600,
      ALLOWED_HOSTS: [],
      ANCHORS: {},
    });
    expect(settings.DATABASE_URL.reveal()).toBe(valid.DATABASE_URL);
    expect(Object.isFrozen(settings)).toBe(true);
  });

  it('reads values that are set', () => {
    const digest = 'AB'.repeat(32);
    const settings = load({
      BASE_URL: 'http://127.0.0.1:8080/as/',
      PORT: '0',
      MANAGEMENT_PORT: '9090',
      MASTER_TOKEN_SHA256: ` ${digest} ,`,
      TRUSTED_PROXIES: '10.0.0.0/8, ::1,192.0.2.7',
      LOG_LEVEL: 'silent',
      RATE_LIMITS_ENABLED: 'false',
      ALLOWED_HOSTS: 'a, b,,',
      ANCHORS: '{"https://a.example":{"keys":[]}}',
      LABEL: 'abc',
      UNKNOWN: 'ignored',
    });
    expect(settings).toMatchObject({
      BASE_URL: 'http://127.0.0.1:8080/as',
      PORT: 0,
      MANAGEMENT_PORT: 9090,
      MASTER_TOKEN_SHA256: [digest.toLowerCase()],
      TRUSTED_PROXIES: ['10.0.0.0/8', '::1', '192.0.2.7'],
      LOG_LEVEL: 'silent',
      RATE_LIMITS_ENABLED: false,
      ALLOWED_HOSTS: ['a', 'b'],
      ANCHORS: { 'https://a.example': { keys: [] } },
      LABEL: 'abc',
    });
    expect(settings).not.toHaveProperty('UNKNOWN');
  });

  it('treats an empty variable as not set', () => {
    expect(load({ PORT: '', RATE_LIMITS_ENABLED: '' })).toMatchObject({ PORT: 8081 });
  });

  it('reads a secret from a file, without its trailing line break', () => {
    const read = (text: string) =>
      load({ DATABASE_URL: undefined, DATABASE_URL_FILE: file('db', text) }).DATABASE_URL.reveal();
    expect(read('postgres://db/x')).toBe('postgres://db/x');
    expect(read('postgres://db/x\n')).toBe('postgres://db/x');
    expect(read('postgres://db/x\r\n')).toBe('postgres://db/x');
  });

  it('reads the digests of master tokens from a file', () => {
    const MASTER_TOKEN_SHA256_FILE = file('digests', `${'a'.repeat(64)}\n`);
    expect(load({ MASTER_TOKEN_SHA256_FILE }).MASTER_TOKEN_SHA256).toEqual(['a'.repeat(64)]);
  });

  const bad: readonly (readonly [string, Environment])[] = [
    ['BASE_URL', { BASE_URL: undefined }],
    ['BASE_URL', { BASE_URL: '' }],
    ['BASE_URL', { BASE_URL: CANARY }],
    ['BASE_URL', { BASE_URL: `http://${CANARY}.example` }],
    ['BASE_URL', { BASE_URL: `https://u:${CANARY}@as.example` }],
    ['BASE_URL', { BASE_URL: `https://as.example/?${CANARY}` }],
    ['BASE_URL', { BASE_URL: `https://as.example/#${CANARY}` }],
    ['BASE_URL', { BASE_URL: `http://localhost.${CANARY}.example` }],
    ['BASE_URL', { BASE_URL: 'ftp://as.example' }],
    ['PORT', { PORT: CANARY }],
    ['PORT', { PORT: '65536' }],
    ['PORT', { PORT: '-1' }],
    ['PORT', { PORT: '80.5' }],
    ['PORT', { PORT: '0x50' }],
    ['PORT', { PORT: '1e3' }],
    ['PORT', { PORT: ' 80' }],
    ['MANAGEMENT_PORT', { MANAGEMENT_PORT: 'none' }],
    ['DATABASE_URL', { DATABASE_URL: undefined }],
    ['DATABASE_URL', { DATABASE_URL: `mysql://u:${CANARY}@db` }],
    ['DATABASE_URL', { DATABASE_URL: `postgres://[${CANARY}` }],
    ...['0', '61', '1.5', 'x', ''].map(
      (seconds) =>
        ['DATABASE_URL', { DATABASE_URL: `postgres://u:${CANARY}@db/x?connect_timeout=${seconds}` }] as const,
    ),
    ['DATABASE_URL', { DATABASE_URL_FILE: '/nowhere/at/all' }],
    ['DATABASE_URL', { DATABASE_URL: undefined, DATABASE_URL_FILE: '/nowhere/at/all' }],
    ['DATABASE_URL', { DATABASE_URL: undefined, DATABASE_URL_FILE: file('empty', '\n') }],
    ['DATABASE_URL', { DATABASE_URL: undefined, DATABASE_URL_FILE: file('large', 'a'.repeat(70_000)) }],
    ['DATABASE_URL', { DATABASE_URL: undefined, DATABASE_URL_FILE: file('wrong', CANARY) }],
    ['DATABASE_POOL_SIZE', { DATABASE_POOL_SIZE: '0' }],
    ['MASTER_TOKEN_SHA256', { MASTER_TOKEN_SHA256: CANARY }],
    ['MASTER_TOKEN_SHA256', { MASTER_TOKEN_SHA256: `${'a'.repeat(64)},${'a'.repeat(63)}` }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: 'everyone' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/33' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/8/8' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'verbose' }],
    ['RATE_LIMITS_ENABLED', { RATE_LIMITS_ENABLED: 'yes' }],
    ['RATE_LIMITS_ENABLED', { RATE_LIMITS_ENABLED: 'TRUE' }],
    ['SHUTDOWN_DRAIN_MS', { SHUTDOWN_DRAIN_MS: '60000' }],
    ['LIFETIME_SECONDS', { LIFETIME_SECONDS: '1h' }],
    ['ANCHORS', { ANCHORS: CANARY }],
    ['ANCHORS', { ANCHORS: `{"${CANARY}":1}` }],
    ['ANCHORS', { ANCHORS: '{"a":{"keys":[]},"a":{"keys":[]}}' }],
    ['LABEL', { LABEL: 'a' }],
    ['LABEL', { LABEL: 'ABC' }],
  ];

  it.each(bad)('refuses an invalid %s by name without its value (%#)', (name, environment) => {
    const problems = problemsOf(() => load(environment));
    expect(problems.map((problem) => problem.name)).toEqual([name]);
    expect(problems[0]?.problem).toMatch(/^(must|is|the file) /);
    expect(problems[0]?.problem).not.toContain(CANARY);
  });

  it.each([
    ['as.example', 'must be an absolute URL'],
    ['ftp://as.example', 'must be an http(s) URL'],
    ['https://u:p@as.example', 'must not contain credentials'],
    ['https://as.example/?a', 'must have no query and no fragment'],
    ['https://AS.example', 'must be in its normal form: lower-case host, no default port, no dot segments'],
    ['http://as.example', 'must be an https URL unless it is on a loopback address'],
  ])('says why %s cannot be the base address', (BASE_URL, problem) => {
    expect(problemsOf(() => load({ BASE_URL }))).toEqual([{ name: 'BASE_URL', problem }]);
  });

  it('reports every problem at once', () => {
    const problems = problemsOf(() => loadSettings(schema, { PORT: 'x', LOG_LEVEL: 'y' }));
    expect(problems).toEqual([
      { name: 'BASE_URL', problem: 'is required' },
      { name: 'DATABASE_URL', problem: 'is required' },
      {
        name: 'LOG_LEVEL',
        problem: 'must be one of fatal, error, warn, info, debug, trace, silent',
      },
      { name: 'PORT', problem: 'must be an integer from 0 to 65535' },
    ]);
  });

  it('runs rules over several settings if each of them is valid', () => {
    const rule = (settings: { PORT: number; MANAGEMENT_PORT?: number }) =>
      settings.PORT === settings.MANAGEMENT_PORT
        ? [{ name: 'MANAGEMENT_PORT', problem: 'must differ from PORT' }]
        : [];
    const both = (environment: Environment) => () =>
      loadSettings(schema, { ...valid, ...environment }, [rule]);
    expect(problemsOf(both({ PORT: '1', MANAGEMENT_PORT: '1' }))).toEqual([
      { name: 'MANAGEMENT_PORT', problem: 'must differ from PORT' },
    ]);
    expect(problemsOf(both({ PORT: '1', MANAGEMENT_PORT: '1', LABEL: 'A' }))).toEqual([
      { name: 'LABEL', problem: 'must be a string of 2 to 8 characters' },
      { name: 'MANAGEMENT_PORT', problem: 'must differ from PORT' },
    ]);
    expect(problemsOf(both({ PORT: 'x', MANAGEMENT_PORT: '1' })).map(({ name }) => name)).toEqual(['PORT']);
    expect(both({ PORT: '1', MANAGEMENT_PORT: '2' })().PORT).toBe(1);
  });
});

describe('settingsReference', () => {
  it('returns a table with a row per setting', () => {
    const rows = settingsReference(schema).trimEnd().split('\n');
    expect(rows).toHaveLength(2 + Object.keys(schema.properties).length);
    for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(5);
    expect(rows).toContain(
      '| `DATABASE_URL` | a postgres:// URL | required | Connection string for PostgreSQL 14 or newer. Its `connect_timeout` query parameter limits how long opening a connection may take: 1 to 60 seconds, default 1. Secret; also from the file in `DATABASE_URL_FILE`. |',
    );
    expect(rows).toContain('| `PORT` | an integer from 0 to 65535 | `8081` | Port to listen on. |');
    expect(rows).toContain(
      '| `RATE_LIMITS_ENABLED` | true or false | `true` | Whether rate limits are enforced. |',
    );
    expect(rows).toContain('| `LABEL` | a string of 2 to 8 characters | none | A label. |');
  });
});
