import { type ClientId, DomainError, epochSeconds, nowSeconds } from '@vestibule/protocol';
import { parseScope, type Scope } from '@vestibule/scopes';
import { describe, expect, it } from 'vitest';
import { aTokenFixture } from '../testing/token-fixture.js';
import { importAll, importEach } from './import-tokens.js';
import type { ImportedToken } from './imported-token.js';
import type {
  ImportConflict,
  ImportedTokenRecord,
  ImportOptions,
  ImportOutcome,
} from './imported-token-store.js';

/** The operations over a store that gives every record the same result, and remembers the calls. */
async function aFixture(result: ImportOutcome | ImportConflict = 'stored') {
  const world = await aTokenFixture();
  const calls: { records: readonly ImportedTokenRecord[]; options: ImportOptions }[] = [];
  const deps = {
    ...world,
    importedTokens: {
      add: async (records: readonly ImportedTokenRecord[], options: ImportOptions) => {
        calls.push({ records, options });
        return records.map(() => result);
      },
    },
  };
  const now = nowSeconds(world.clock);
  const token = (deviation: Partial<ImportedToken> = {}): ImportedToken => ({
    kind: 'access',
    text: 'a'.repeat(32),
    clientId: 'client' as ClientId,
    scope: parseScope('read write') as Scope,
    issuedAt: epochSeconds(now - 60),
    expiresAt: epochSeconds(now + 600),
    ...deviation,
  });
  return { deps, calls, token, now, at: (offset: number) => epochSeconds(now + offset) };
}

async function problemOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('nothing was refused'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(DomainError);
  return (error as DomainError).description;
}

describe('importAll', () => {
  it('stores each token under the digest of its kind, with the issuer of this server', async () => {
    const { deps, calls, token, now } = await aFixture();
    const tokens = [token({ subject: 'alice', audience: ['b', 'a', 'b'] }), token({ kind: 'refresh' })];
    expect(await importAll(deps, tokens)).toEqual({ stored: 2, unchanged: 0, revoked: 0 });
    expect(calls).toHaveLength(1);
    const [{ records, options } = { records: [], options: {} }] = calls;
    expect(options).toEqual({ isAllOrNone: true, now });
    expect(records.map(({ digests }) => digests[0])).toEqual([
      deps.digester.digest('access-token', 'a'.repeat(32)),
      deps.digester.digest('refresh-token', 'a'.repeat(32)),
    ]);
    expect(records[0]?.token).toEqual({
      clientId: 'client',
      subject: 'alice',
      scope: 'read write',
      audience: ['b', 'a'],
      issuer: deps.issuer,
      issuedAt: now - 60,
      expiresAt: now + 600,
    });
    expect(JSON.stringify(records)).not.toContain('aaaa');
  });

  it('names the first token that is refused, its member and the rule, and stores nothing', async () => {
    const { deps, calls, token, at } = await aFixture();
    const problems: [Partial<ImportedToken>, string][] = [
      [
        { text: 'eyJh.eyJp.c2ln' },
        'token: is a JWT, which is verified by its signature and cannot be imported',
      ],
      [
        { text: 'a'.repeat(21) },
        'token: must have 22 to 1024 characters of a bearer token (RFC 6750 section 2.1) with at most one dot',
      ],
      [
        { text: 'a'.repeat(1025) },
        'token: must have 22 to 1024 characters of a bearer token (RFC 6750 section 2.1) with at most one dot',
      ],
      [{ issuedAt: at(31) }, 'iat: lies in the future'],
      [{ expiresAt: at(-61) }, 'exp: must be after iat'],
      [{ issuedAt: at(20), expiresAt: at(20) }, 'exp: must be after iat'],
      [{ expiresAt: at(0) }, 'exp: has passed'],
      [{ expiresAt: at(-60 + 31_536_001) }, 'exp: must be at most 31536000 seconds after iat'],
      [{ notBefore: at(600) }, 'nbf: must be before exp'],
      [
        { scope: parseScope('read client-reg') as Scope },
        'scope: must not contain client-reg values, which are for initial access tokens',
      ],
      [{ claims: { sub: 'x' } }, 'claims: must not contain members that the protocol defines'],
    ];
    for (const [deviation, problem] of problems)
      expect(
        await problemOf(
          importAll(deps, [token({ text: 'b'.repeat(32) }), token(deviation), token(deviation)]),
        ),
      ).toBe(`tokens[1].${problem}`);
    expect(calls).toEqual([]);
  });

  it('accepts times at their bounds', async () => {
    const { deps, token, at } = await aFixture();
    const tokens = [
      token({ text: '1'.repeat(22), issuedAt: at(30), expiresAt: at(31) }),
      token({ text: '2'.repeat(22), expiresAt: at(1) }),
      token({ text: '3'.repeat(22), expiresAt: at(-60 + 31_536_000) }),
      token({ text: '4'.repeat(22), notBefore: at(599) }),
    ];
    expect(await importAll(deps, tokens)).toMatchObject({ stored: 4 });
  });

  it('refuses a token that occurs twice, and names both places', async () => {
    const { deps, token } = await aFixture();
    const tokens = [token({ text: 'b'.repeat(32) }), token(), token({ kind: 'refresh' }), token()];
    expect(await problemOf(importAll(deps, tokens))).toBe('tokens[3].token: is also in tokens[1]');
  });

  it('explains what the store refuses', async () => {
    const problems: [ImportConflict, string][] = [
      ['unknown_client', 'client_id: is not a registered client'],
      ['other_facts', 'token: was imported before with other values, which stay'],
      ['issued_here', 'token: was issued by this server'],
      ['foreign_session', 'sid: is a session of another end-user than sub'],
    ];
    for (const [conflict, problem] of problems) {
      const { deps, token } = await aFixture(conflict);
      expect(await problemOf(importAll(deps, [token()]))).toBe(`tokens[0].${problem}`);
    }
  });

  it('recognizes the same facts whatever the order of members, scope values and audience', async () => {
    const { deps, calls, token, at } = await aFixture();
    const factsOf = async (deviation: Partial<ImportedToken>) => {
      await importAll(deps, [token(deviation)]);
      return Buffer.from(calls.at(-1)?.records[0]?.facts ?? []).toString('hex');
    };
    const base = { audience: ['a', 'b'], claims: { one: 1, two: { x: 1, y: 2 } } };
    const facts = await factsOf(base);
    const same: Partial<ImportedToken>[] = [
      { ...base, text: 'z'.repeat(32) },
      { ...base, scope: parseScope('write read') as Scope },
      { ...base, audience: ['b', 'a', 'b'] },
      { ...base, claims: { two: { y: 2, x: 1 }, one: 1 } },
    ];
    for (const deviation of same) expect(await factsOf(deviation)).toBe(facts);
    const others: Partial<ImportedToken>[] = [
      { ...base, kind: 'refresh' },
      { ...base, clientId: 'other' as ClientId },
      { ...base, subject: 'alice' },
      { ...base, username: 'alice' },
      { ...base, scope: parseScope('read') as Scope },
      { ...base, audience: ['a'] },
      { ...base, issuedAt: at(-61) },
      { ...base, expiresAt: at(601) },
      { ...base, notBefore: at(0) },
      { ...base, confirmation: { jkt: 'x' } },
      { ...base, actor: { sub: 'x' } },
      { ...base, data: {} },
      { ...base, claims: { one: 1, two: { x: 1 } } },
      { ...base, sessionId: 's' },
    ];
    const found = new Set([facts]);
    for (const deviation of others) found.add(await factsOf(deviation));
    expect(found.size).toBe(others.length + 1);
  });
});

describe('importEach', () => {
  it('gives each token its own result, in order', async () => {
    const { deps, calls, token, at } = await aFixture();
    const tokens = [
      token({ text: '1'.repeat(22) }),
      token({ expiresAt: at(0) }),
      token({ text: '2'.repeat(22) }),
      token({ text: 'short' }),
    ];
    const results = await importEach(deps, tokens);
    expect(results).toMatchObject([
      { outcome: 'stored' },
      { refusal: { member: 'exp', problem: 'has passed' } },
      { outcome: 'stored' },
      { refusal: { member: 'token' } },
    ]);
    expect(calls.map(({ records, options }) => [records.length, options.isAllOrNone])).toEqual([[2, false]]);
  });

  it('imports a token that occurs again after the first one', async () => {
    const { deps, calls, token } = await aFixture();
    const one = token({ text: '1'.repeat(22) });
    const tokens = [one, token(), token(), { ...one, kind: 'refresh' as const }, one];
    expect(await importEach(deps, tokens)).toHaveLength(5);
    expect(calls.map(({ records }) => records.length)).toEqual([2, 3]);
  });

  it('asks the store for nothing if every token is refused, and returns nothing for no tokens', async () => {
    const { deps, calls, token } = await aFixture();
    expect(await importEach(deps, [token({ text: 'short' })])).toHaveLength(1);
    expect(await importEach(deps, [])).toEqual([]);
    expect(calls).toEqual([]);
  });

  it('explains what the store refuses', async () => {
    const { deps, token } = await aFixture('unknown_client');
    expect(await importEach(deps, [token()])).toEqual([
      { refusal: { member: 'client_id', problem: 'is not a registered client' } },
    ]);
  });
});
