import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeSettings } from '@vestibule/service/settings';
import { createEntityKey } from '@vestibule/testkit/federation';
import { describe, expect, it } from 'vitest';
import { FederationServiceSettings, federationWarnings, loadFederationConfig } from '../src/index.js';

const NEEDED = {
  BASE_URL: 'https://op.example',
  DATABASE_URL: 'postgres://localhost/x',
  ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
};

const detailsOf = (settings: Record<string, string>) => {
  try {
    loadFederationConfig({ ...NEEDED, ...settings });
    return [];
  } catch (error) {
    return (error as { problems: { name: string; problem: string }[] }).problems;
  }
};

const problemsOf = (settings: Record<string, string>) => detailsOf(settings).map(({ name }) => name);

const describedProblemsOf = (settings: Record<string, string>) =>
  detailsOf(settings).map(({ name, problem }) => `${name}: ${problem}`);

describe('the settings', () => {
  it('need nothing about federation if it is not enabled', () => {
    expect(problemsOf({})).toEqual([]);
    expect(problemsOf({ BASE_URL: 'http://localhost:8080' })).toEqual([]);
  });

  it('need anchors with usable keys, and entity identifiers, if federation is enabled', async () => {
    const { publicJwk } = await createEntityKey();
    const anchors = (id: string, keys: object[]) => JSON.stringify({ [id]: { keys } });
    const on = {
      FEDERATION_ENABLED: 'true',
      FEDERATION_TRUST_ANCHORS: anchors('https://a.example', [publicJwk]),
    };
    expect(problemsOf(on)).toEqual([]);
    for (const bad of [
      '',
      '{}',
      '[]',
      'x',
      anchors('https://a.example', []),
      anchors('http://a.example', [publicJwk]),
    ])
      expect(problemsOf({ ...on, FEDERATION_TRUST_ANCHORS: bad }), bad).toEqual(['FEDERATION_TRUST_ANCHORS']);
    expect(problemsOf({ ...on, FEDERATION_AUTHORITY_HINTS: 'https://s.example,ftp://x' })).toEqual([
      'FEDERATION_AUTHORITY_HINTS',
    ]);
  });

  it('explain what a federation on a loopback address needs', async () => {
    const { publicJwk } = await createEntityKey();
    const on = {
      FEDERATION_ENABLED: 'true',
      FEDERATION_TRUST_ANCHORS: JSON.stringify({ 'https://a.example': { keys: [publicJwk] } }),
    };
    expect(describedProblemsOf({ ...on, BASE_URL: 'http://localhost:8080' })).toEqual([
      'BASE_URL: is an http URL: with FEDERATION_ENABLED=true, EGRESS_ALLOW_HOSTS must include its host, for example EGRESS_ALLOW_HOSTS=localhost:8080',
    ]);
    expect(
      describedProblemsOf({ ...on, BASE_URL: 'http://localhost:8080', EGRESS_ALLOW_HOSTS: 'localhost:8080' }),
    ).toEqual([]);
  });

  it('accept anchors from one source only, and rules for these anchors only', async () => {
    const { publicJwk } = await createEntityKey();
    const anchors = JSON.stringify({ 'https://a.example': { keys: [publicJwk] } });
    const file = join(await mkdtemp(join(tmpdir(), 'anchors-')), 'anchors.json');
    await writeFile(file, anchors);
    const inFile = { FEDERATION_ENABLED: 'true', FEDERATION_TRUST_ANCHORS_FILE: file };
    expect(describedProblemsOf(inFile)).toEqual([]);
    expect(describedProblemsOf({ ...inFile, FEDERATION_TRUST_ANCHORS: anchors })).toEqual([
      'FEDERATION_TRUST_ANCHORS: is also set by FEDERATION_TRUST_ANCHORS_FILE; set only one of them',
    ]);
    expect(describedProblemsOf({ ...inFile, FEDERATION_TRUST_ANCHORS_FILE: `${file}.none` })).toEqual([
      'FEDERATION_TRUST_ANCHORS_FILE: the file cannot be read',
    ]);
    const rules = (value: unknown) =>
      describedProblemsOf({ ...inFile, FEDERATION_ANCHOR_RULES: JSON.stringify(value) });
    expect(
      rules({
        'https://a.example': { rights: 'client-reg:data', required_trust_marks: 'a,b|c', max_path_length: 0 },
      }),
    ).toEqual([]);
    expect(rules({ 'https://a.example': {}, 'https://b.example': {} })).toEqual([
      'FEDERATION_ANCHOR_RULES: entry 2 is not a trust anchor of FEDERATION_TRUST_ANCHORS_FILE',
    ]);
    for (const [value, problem] of [
      [[], 'must be a JSON object'],
      [{ 'https://a.example': 1 }, 'entry 1: must be a JSON object'],
      [
        { 'https://a.example': { right: 'x' } },
        'entry 1: has an unknown member (known: rights, required_trust_marks, max_path_length)',
      ],
      [
        { 'https://a.example': { rights: 'openid' } },
        'entry 1: rights must be a string of space-separated client-reg scope values',
      ],
      [
        { 'https://a.example': { required_trust_marks: ['a'] } },
        'entry 1: required_trust_marks must be a string of comma-separated trust mark types, alternatives separated by |',
      ],
      [
        { 'https://a.example': { max_path_length: 11 } },
        'entry 1: max_path_length must be an integer from 0 to 10',
      ],
    ])
      expect(rules(value)).toEqual([`FEDERATION_ANCHOR_RULES: ${problem}`]);
  });

  it('show each default in a form that can be set', () => {
    const rows = describeSettings(FederationServiceSettings).filter(
      ({ name, default: value }) => name.startsWith('FEDERATION_') && value !== 'none',
    );
    for (const { name, default: value } of rows) expect(problemsOf({ [name]: value }), name).toEqual([]);
  });

  it('accept only texts and https addresses as information about the provider', () => {
    for (const [name, ...values] of [
      ['FEDERATION_ORGANIZATION_NAME', 'x'.repeat(201)],
      ['FEDERATION_CONTACTS', ',', 'x'.repeat(201)],
      ['FEDERATION_LOGO_URI', 'logo.svg', 'http://op.example/logo.svg', 'https://user@op.example/logo.svg'],
      ['FEDERATION_POLICY_URI', 'javascript:alert(1)'],
      ['FEDERATION_INFORMATION_URI', 'https://'],
      ['FEDERATION_ORGANIZATION_URI', `https://op.example/${'x'.repeat(2_048)}`],
    ] as const)
      for (const value of values) expect(problemsOf({ [name]: value }), `${name}=${value}`).toEqual([name]);
  });

  it('warn if anyone can register entities at a public provider', async () => {
    const { publicJwk } = await createEntityKey();
    const on = {
      FEDERATION_ENABLED: 'true',
      FEDERATION_TRUST_ANCHORS: JSON.stringify({ 'https://a.example': { keys: [publicJwk] } }),
    };
    const warningsOf = (settings: Record<string, string>) =>
      federationWarnings(loadFederationConfig({ ...NEEDED, ...settings }));
    expect(warningsOf(on)).toEqual([expect.stringMatching(/^FEDERATION_OLDER_DIALECT=accepted: /)]);
    for (const use of ['keys_only', 'audience_required', 'refused'])
      expect(warningsOf({ ...on, FEDERATION_OLDER_DIALECT: use }), use).toEqual([]);
    const local = { BASE_URL: 'http://localhost:8080', EGRESS_ALLOW_HOSTS: 'localhost' };
    expect(warningsOf({ ...on, ...local })).toEqual([]);
    expect(warningsOf({})).toEqual([]);
  });

  it('refuse meaningless scopes, trust marks and rules', () => {
    for (const [name, ...values] of [
      ['FEDERATION_RIGHTS', 'openid', 'client-reg:grant:code openid', '"'],
      ['OPEN_REGISTRATION_SCOPES', 'client-reg:data', `openid ${NEEDED.BASE_URL}/token/introspect`],
      ['FEDERATION_TRUST_MARKS', 'x', 'a.b.c'],
      ['FEDERATION_REQUIRED_TRUST_MARKS', 'a|', '|'],
      ['FEDERATION_MAX_PATH_LENGTH', '-1', '11'],
    ] as const)
      for (const value of values) expect(problemsOf({ [name]: value }), `${name}=${value}`).toEqual([name]);
  });
});
