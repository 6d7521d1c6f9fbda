import { openTestDataKeys } from '@vestibule/crypto/testing';
import { type ClientId, epochSeconds } from '@vestibule/protocol';
import { aClientId, anAccessToken } from '@vestibule/testkit';
import type { AccessToken } from '@vestibule/tokens';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_ENTRY_BYTES, readEntry, tombstone, writeEntry } from './token-state-entry.js';

const DIGEST = 'A'.repeat(43);
const OTHER_DIGEST = 'B'.repeat(43);
const READ_AT_MS = 1_780_315_200_500;

const FULL_TOKEN: AccessToken = anAccessToken({
  audience: ['https://api.example', 'other'],
  notBefore: epochSeconds(1_780_000_000),
  username: 'alice',
  jti: 'id',
  confirmation: { 'x5t#S256': 'thumbprint' },
  actor: { sub: 'assistant', act: { sub: 'operator' } },
  data: { limits: [1, 2, { deep: null }] },
  claims: { email: 'alice@example.com', 'naïve 名': '✓' },
  authorizationId: 'authorization',
  sessionId: 'session',
  clientExpiresAt: epochSeconds(1_790_000_000),
});

async function entryOf(token: AccessToken): Promise<string> {
  const entry = await writeEntry(DIGEST, { token, readAtMs: READ_AT_MS });
  if (entry === undefined) throw new Error('not writable');
  return entry;
}

describe('an entry', () => {
  it.each([
    ['with every member', FULL_TOKEN],
    ['without optional members', anAccessToken()],
  ])('returns a token %s, and when the store was read', async (_, token) => {
    expect(await readEntry(DIGEST, await entryOf(token))).toEqual({ token, readAtMs: READ_AT_MS });
  });

  it('leaves out members that are not part of a token state', async () => {
    const token = { ...anAccessToken(), secret: 'hunter2' };
    const entry = await entryOf(token);
    expect(entry).not.toContain('hunter2');
    expect(await readEntry(DIGEST, entry)).toEqual({ token: anAccessToken(), readAtMs: READ_AT_MS });
  });

  it('returns any state that it wrote', async () => {
    const text = fc.string({ unit: 'grapheme' });
    const json = fc.dictionary(text, fc.jsonValue({ maxDepth: 4 }), { maxKeys: 5 });
    const token = fc.record(
      {
        clientId: fc.constant<ClientId>(aClientId('client')),
        scope: text,
        audience: fc.array(text),
        issuer: text,
        issuedAt: fc.nat().map(epochSeconds),
        expiresAt: fc.nat().map(epochSeconds),
        subject: text,
        data: json,
        claims: json,
      },
      { requiredKeys: ['clientId', 'scope', 'audience', 'issuer', 'issuedAt', 'expiresAt'] },
    );
    await fc.assert(
      fc.asyncProperty(token, async (state) => {
        const entry = await writeEntry(DIGEST, { token: state as AccessToken, readAtMs: READ_AT_MS });
        fc.pre(entry !== undefined);
        const expected = { token: JSON.parse(JSON.stringify(state)), readAtMs: READ_AT_MS };
        expect(await readEntry(DIGEST, entry ?? '')).toEqual(expected);
      }),
    );
  });

  it.each([
    ['too large', { claims: { text: 'x'.repeat(MAX_ENTRY_BYTES) } }],
    ['too large in bytes, though not in characters', { claims: { text: '€'.repeat(6_000) } }],
    ['too deep', { data: JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`) }],
    ['not storable', { subject: 'half a pair \ud800' }],
  ])('is not written for a state that is %s', async (_, deviation) => {
    expect(
      await writeEntry(DIGEST, { token: anAccessToken(deviation), readAtMs: READ_AT_MS }),
    ).toBeUndefined();
  });

  it('is a tombstone for one token only', async () => {
    expect(await readEntry(DIGEST, tombstone(DIGEST))).toBe('dead');
    expect(await readEntry(OTHER_DIGEST, tombstone(DIGEST))).toBe('foreign');
  });

  it('is refused under the digest of another token', async () => {
    expect(await readEntry(OTHER_DIGEST, await entryOf(FULL_TOKEN))).toBe('foreign');
  });

  it('is refused with another schema version', async () => {
    const entry = await entryOf(FULL_TOKEN);
    for (const version of ['0', '2', '11', '', '01']) {
      expect(await readEntry(DIGEST, entry.replace(/^1/, version))).toBe('foreign');
    }
  });

  it('is refused when it is longer than the largest entry', async () => {
    const entry = await entryOf(FULL_TOKEN);
    expect(await readEntry(DIGEST, entry.padEnd(MAX_ENTRY_BYTES + 1))).toBe('oversized');
  });

  const state = JSON.stringify(anAccessToken());
  it.each([
    '',
    'DEAD',
    'dead ',
    '1:',
    state,
    `:${state}`,
    `-1:${state}`,
    `1e9:${state}`,
    `1234567890123456:${state}`,
    `1: ${state}x`,
    '1:null',
    '1:[]',
    '1:"text"',
    '1:{}',
    `1:${state.slice(0, -1)}`,
    `1:${state.replace('"scope":', '"Scope":')}`,
    `1:${state.replace('{', '{"unknown":1,')}`,
    `1:${state.replace('{', '{"scope":"again",')}`,
    `1:${state.replace('{', '{"__proto__":{"subject":"x"},')}`,
    `1:${state.replace('{', '{"claims":{"constructor":{"prototype":{}}},')}`,
    `1:${state.replace('{', '{"claims":null,')}`,
    `1:${state.replace('{', `{"data":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)},`)}`,
    `1:${state.replace('"client"', '""')}`,
    `1:${state.replace('"client"', '" client"')}`,
    `1:${state.replace(/"expiresAt":\d+/, '"expiresAt":"9"')}`,
    `1:${state.replace(/"expiresAt":\d+/, '"expiresAt":1.5')}`,
    `1:${state.replace(/"expiresAt":\d+/, '"expiresAt":1e400')}`,
    `1:${state.replace(/,"expiresAt":\d+/, '')}`,
    `1:${state.replace('"audience":[]', '"audience":"all"')}`,
    `1:${state.replace('"audience":[]', '"audience":[1]')}`,
  ])('is refused with the content %#', async (content) => {
    expect(await readEntry(DIGEST, `1:${DIGEST}:${content}`)).toBe(
      content.length > MAX_ENTRY_BYTES ? 'oversized' : 'malformed',
    );
  });

  it('is refused with any one character changed, unless it is still a token state', async () => {
    const entry = await entryOf(FULL_TOKEN);
    const place = fc.nat(entry.length - 1);
    await fc.assert(
      fc.asyncProperty(place, fc.string({ minLength: 1, maxLength: 1 }), async (index, character) => {
        const read = await readEntry(DIGEST, entry.slice(0, index) + character + entry.slice(index + 1));
        expect(typeof read === 'string' ? ['foreign', 'malformed', 'oversized'] : [read]).toContainEqual(
          read,
        );
      }),
    );
  });
});

describe('an encrypted entry', () => {
  it('returns the token, and contains nothing of it in clear', async () => {
    const { encryptor } = await openTestDataKeys();
    const entry = await writeEntry(DIGEST, { token: FULL_TOKEN, readAtMs: READ_AT_MS }, encryptor);
    expect(entry).toMatch(new RegExp(`^1:${DIGEST}:v1\\.[\\w.-]+$`));
    expect(await readEntry(DIGEST, entry ?? '', encryptor)).toEqual({
      token: FULL_TOKEN,
      readAtMs: READ_AT_MS,
    });
  });

  it('cannot be decrypted for another token, and a state in clear is refused', async () => {
    const { encryptor } = await openTestDataKeys();
    const entry = await writeEntry(DIGEST, { token: FULL_TOKEN, readAtMs: READ_AT_MS }, encryptor);
    const copied = entry?.replace(DIGEST, OTHER_DIGEST) ?? '';
    expect(await readEntry(OTHER_DIGEST, copied, encryptor)).toBe('malformed');
    expect(await readEntry(DIGEST, await entryOf(FULL_TOKEN), encryptor)).toBe('malformed');
    expect(await readEntry(DIGEST, entry ?? '')).toBe('malformed');
    expect(await readEntry(DIGEST, tombstone(DIGEST), encryptor)).toBe('dead');
  });
});
