import { randomBytes } from 'node:crypto';
import { createEntityKey } from '@vestibule/testkit/federation';
import { describe, expect, it } from 'vitest';
import { loadFederationConfig } from '../src/index.js';

const NEEDED = {
  BASE_URL: 'https://op.example',
  DATABASE_URL: 'postgres://localhost/x',
  ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
};

const problemsOf = (settings: Record<string, string>) => {
  try {
    loadFederationConfig({ ...NEEDED, ...settings });
    return [];
  } catch (error) {
    return (error as { problems: { name: string }[] }).problems.map(({ name }) => name);
  }
};

describe('the settings', () => {
  it('need nothing of a federation where none is enabled', () => {
    expect(problemsOf({})).toEqual([]);
    expect(problemsOf({ BASE_URL: 'http://localhost:8080' })).toEqual([]);
  });

  it('need anchors with usable keys, and entity identifiers, where one is', async () => {
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
    expect(problemsOf({ ...on, BASE_URL: 'http://localhost:8080' })).toEqual(['BASE_URL']);
  });

  it('refuse rights, marks and rules that nobody could mean', () => {
    for (const [name, ...values] of [
      ['FEDERATION_RIGHTS', 'openid', 'client-reg:grant:code openid', '"'],
      ['FEDERATION_TRUST_MARKS', 'x', 'a.b.c'],
      ['FEDERATION_REQUIRED_TRUST_MARKS', 'a|', '|'],
      ['FEDERATION_MAX_PATH_LENGTH', '-1', '11'],
    ] as const)
      for (const value of values) expect(problemsOf({ [name]: value }), `${name}=${value}`).toEqual([name]);
  });
});
