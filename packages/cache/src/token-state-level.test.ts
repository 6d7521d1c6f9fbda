import { openTestDataKeys } from '@vestibule/crypto/testing';
import { epochSeconds } from '@vestibule/protocol';
import { frozenClock } from '@vestibule/protocol/testing';
import { anAccessToken, testRedisUrl } from '@vestibule/testkit';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { digestText } from './cache-key.js';
import { connectedRedis } from './testing/connected-redis.js';
import { someDigest } from './testing/some-digest.js';
import { tombstone, writeEntry } from './token-state-entry.js';
import { type RefusedEntry, type TokenStateLevelOptions, tokenStateLevel } from './token-state-level.js';

const DEAD = { outcome: 'tombstone' };
const MISS = { outcome: 'miss' };

async function aLevel(options: Partial<TokenStateLevelOptions> = {}) {
  const url = await testRedisUrl();
  const raw = new Redis(url);
  onTestFinished(() => raw.disconnect());
  const { redis } = await connectedRedis({ url });
  const clock = frozenClock();
  const refused: RefusedEntry[] = [];
  const onRefused = (reason: RefusedEntry) => void refused.push(reason);
  return { level: tokenStateLevel({ redis, clock, onRefused, ...options }), clock, raw, refused };
}

function keyOf(digest: Uint8Array): string {
  return `vestibule:1:token:${digestText(digest)}`;
}

describe('the shared level', () => {
  it('misses a token that was never filled', async () => {
    const { level, refused } = await aLevel();
    expect(await level.get(someDigest())).toEqual(MISS);
    expect(refused).toEqual([]);
  });

  it('returns a filled state with the time at which the store was read', async () => {
    const { level, clock, raw } = await aLevel();
    const digest = someDigest();
    const readAtMs = clock.nowMs() - 100;
    await level.fill(digest, anAccessToken(), readAtMs);
    expect(await level.get(digest)).toEqual({ outcome: 'live', token: anAccessToken(), readAtMs });
    expect(await raw.keys('*')).toEqual([keyOf(digest)]);
  });

  it('keeps a state for five seconds after the store was read', async () => {
    const { level, clock, raw } = await aLevel();
    const [prompt, late] = [someDigest(), someDigest()];
    await level.fill(prompt, anAccessToken(), clock.nowMs());
    await level.fill(late, anAccessToken(), clock.nowMs() - 3_000);
    expect(await raw.pttl(keyOf(prompt))).toSatisfy((ms: number) => ms > 2_000 && ms <= 5_000);
    expect(await raw.pttl(keyOf(late))).toSatisfy((ms: number) => ms > 0 && ms <= 2_000);
    clock.advanceSeconds(4.9);
    expect(await level.get(prompt)).toMatchObject({ outcome: 'live' });
    clock.advanceSeconds(0.1);
    expect(await level.get(prompt)).toEqual(MISS);
  });

  it('expires a state shortly before the end of its use, so that it does not block the next fill', async () => {
    const { level, clock, raw } = await aLevel();
    const [digest, over] = [someDigest(), someDigest()];
    await level.fill(digest, anAccessToken(), clock.nowMs());
    expect(await raw.pttl(keyOf(digest))).toBeLessThanOrEqual(4_980);
    await level.fill(over, anAccessToken(), clock.nowMs() - 4_980);
    expect(await raw.exists(keyOf(over))).toBe(0);
  });

  it('leaves it to the store whether a client has expired', async () => {
    const { level, clock, raw } = await aLevel();
    const digest = someDigest();
    const clientExpiresAt = epochSeconds(clock.nowMs() / 1000 + 2);
    await level.fill(digest, anAccessToken({ clientExpiresAt }), clock.nowMs());
    expect(await raw.pttl(keyOf(digest))).toSatisfy((ms: number) => ms > 0 && ms <= 1_500);
    clock.advanceSeconds(1.499);
    expect(await level.get(digest)).toMatchObject({ outcome: 'live' });
    clock.advanceSeconds(0.001);
    expect(await level.get(digest)).toEqual(MISS);
  });

  it('never keeps a state beyond the expiry of the token', async () => {
    const { level, clock, raw } = await aLevel();
    const [soon, over] = [someDigest(), someDigest()];
    const expiringIn = (seconds: number) =>
      anAccessToken({ expiresAt: epochSeconds(clock.nowMs() / 1000 + seconds) });
    await level.fill(soon, expiringIn(2), clock.nowMs());
    await level.fill(over, expiringIn(0), clock.nowMs());
    expect(await raw.pttl(keyOf(soon))).toSatisfy((ms: number) => ms > 0 && ms <= 1_500);
    expect(await raw.exists(keyOf(over))).toBe(0);
  });

  it('does not overwrite an entry when it is filled again', async () => {
    const { level, clock } = await aLevel();
    const digest = someDigest();
    await level.fill(digest, anAccessToken({ scope: 'first' }), clock.nowMs());
    await level.fill(digest, anAccessToken({ scope: 'second' }), clock.nowMs());
    expect(await level.get(digest)).toMatchObject({ token: { scope: 'first' } });
  });

  it('invalidates any number of tokens, filled or not', async () => {
    const { level, clock, raw } = await aLevel();
    const digests = Array.from({ length: 600 }, () => someDigest());
    await Promise.all(
      digests.slice(0, 300).map((digest) => level.fill(digest, anAccessToken(), clock.nowMs())),
    );
    expect(await level.invalidate(digests)).toBe('invalidated');
    expect(await level.invalidate(digests)).toBe('invalidated');
    expect(await Promise.all(digests.map((digest) => level.get(digest)))).toEqual(digests.map(() => DEAD));
    expect(await raw.pttl(keyOf(someOf(digests)))).toSatisfy((ms: number) => ms > 5_000 && ms <= 10_000);
    expect(await level.invalidate([])).toBe('invalidated');
  });

  it('keeps the tombstone when a reader that is slower than the revocation fills in what it had read', async () => {
    const { level, clock } = await aLevel();
    const digest = someDigest();
    const readAtMs = clock.nowMs();
    await level.invalidate([digest]);
    await level.fill(digest, anAccessToken(), readAtMs);
    expect(await level.get(digest)).toEqual(DEAD);
  });

  it('does not fill a state that was read so long ago that its tombstone may have expired', async () => {
    const { level, clock, raw } = await aLevel();
    const digest = someDigest();
    const readAtMs = clock.nowMs();
    clock.advanceSeconds(5.001);
    await level.fill(digest, anAccessToken(), readAtMs);
    expect(await raw.exists(keyOf(digest))).toBe(0);
  });

  it('does not use a state that a frozen server stored long after it was sent', async () => {
    const { level, clock, raw, refused } = await aLevel();
    const digest = someDigest();
    const entry = await writeEntry(digestText(digest), { token: anAccessToken(), readAtMs: clock.nowMs() });
    clock.advanceSeconds(20);
    await raw.set(keyOf(digest), entry ?? '', 'PX', 5_000);
    expect(await level.get(digest)).toEqual(MISS);
    expect(refused).toEqual(['stale']);
  });

  it('does not use a state of a process whose clock is more than a second ahead', async () => {
    const { level, clock, refused } = await aLevel();
    const [near, far] = [someDigest(), someDigest()];
    await level.fill(near, anAccessToken(), clock.nowMs() + 1_000);
    await level.fill(far, anAccessToken(), clock.nowMs() + 1_001);
    expect(await level.get(near)).toMatchObject({ outcome: 'live' });
    expect(await level.get(far)).toEqual(MISS);
    expect(refused).toEqual(['stale']);
  });

  it('treats any other value under a key as a miss, and reports why', async () => {
    const { level, clock, raw, refused } = await aLevel();
    const [digest, other] = [digestText(someDigest()), someDigest()];
    const entry = (await writeEntry(digest, { token: anAccessToken(), readAtMs: clock.nowMs() })) ?? '';
    const planted: readonly [string, RefusedEntry][] = [
      [entry, 'foreign'],
      [tombstone(digest), 'foreign'],
      [entry.replace(digest, digestText(other)).slice(0, -1), 'malformed'],
      [entry.replace(digest, digestText(other)).replace(/^1/, '2'), 'foreign'],
      ['{"active":true}', 'foreign'],
      ['\0\u{1f600}', 'foreign'],
      ['x'.repeat(1_000_000), 'oversized'],
    ];
    for (const [value] of planted) {
      await raw.set(keyOf(other), value);
      expect(await level.get(other)).toEqual(MISS);
    }
    expect(refused).toEqual(planted.map(([, reason]) => reason));
  });

  it('treats a key of another type as unavailable', async () => {
    const { level, raw } = await aLevel();
    const digest = someDigest();
    await raw.lpush(keyOf(digest), 'x');
    expect(await level.get(digest)).toEqual({ outcome: 'unavailable' });
    await raw.del(keyOf(digest));
    expect(await level.get(digest)).toEqual(MISS);
  });

  it('does not write a state that it could not read back, and reports it', async () => {
    const { level, clock, raw, refused } = await aLevel();
    await level.fill(someDigest(), anAccessToken({ data: { text: 'x'.repeat(20_000) } }), clock.nowMs());
    expect(await raw.dbsize()).toBe(0);
    expect(refused).toEqual(['unwritable']);
  });

  it('stores nothing of a token in clear when states are encrypted', async () => {
    const { encryptor } = await openTestDataKeys();
    const { level, clock, raw } = await aLevel({ encryptor });
    const digest = someDigest();
    await level.fill(digest, anAccessToken({ username: 'alice' }), clock.nowMs());
    expect(await level.get(digest)).toMatchObject({ outcome: 'live', token: { username: 'alice' } });
    expect(await raw.get(keyOf(digest))).not.toMatch(/alice|client|server/);
    await level.invalidate([digest]);
    expect(await level.get(digest)).toEqual(DEAD);
  });
});

function someOf<Item>(items: readonly Item[]): Item {
  const [first] = items;
  if (first === undefined) throw new RangeError('none');
  return first;
}
