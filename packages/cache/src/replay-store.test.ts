import { epochSeconds } from '@vestibule/protocol';
import { frozenClock } from '@vestibule/protocol/testing';
import { testRedisUrl } from '@vestibule/testkit';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { digestText } from './cache-key.js';
import { replayStore } from './replay-store.js';
import { connectedRedis } from './testing/connected-redis.js';
import { someDigest } from './testing/some-digest.js';

async function twoStores() {
  const url = await testRedisUrl();
  const raw = new Redis(url);
  onTestFinished(() => raw.disconnect());
  const clock = frozenClock();
  const instances = await Promise.all([connectedRedis({ url }), connectedRedis({ url })]);
  const [first, second] = instances.map(({ redis }) => replayStore({ redis, clock }));
  if (first === undefined || second === undefined) throw new RangeError('two were made');
  const expiresAt = epochSeconds(clock.nowMs() / 1000 + 300);
  return { first, second, raw, clock, expiresAt };
}

describe('the replay store', () => {
  it('lets exactly one of 200 parallel uses on two instances be the first', async () => {
    const { first, second, expiresAt } = await twoStores();
    const digest = someDigest();
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, use) => (use % 2 === 0 ? first : second).claim(digest, expiresAt)),
    );
    expect(outcomes.filter((outcome) => outcome === 'fresh')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'replayed')).toHaveLength(199);
  });

  it('knows assertions apart', async () => {
    const { first, second, expiresAt } = await twoStores();
    expect(await first.claim(someDigest(), expiresAt)).toBe('fresh');
    expect(await second.claim(someDigest(), expiresAt)).toBe('fresh');
  });

  it('remembers a use for as long as the assertion lives and clocks may differ, and no longer', async () => {
    const { first, raw, expiresAt } = await twoStores();
    const digest = someDigest();
    await first.claim(digest, expiresAt);
    const key = `vestibule:1:assertion:${digestText(digest)}`;
    expect(await raw.keys('*')).toEqual([key]);
    expect(await raw.pttl(key)).toSatisfy((ms: number) => ms > 357_000 && ms <= 360_000);
  });

  it('still refuses the second of two uses in the last moment of an assertion', async () => {
    const { first, second, clock, expiresAt } = await twoStores();
    const digest = someDigest();
    clock.advanceSeconds(300 + 59);
    expect(await first.claim(digest, expiresAt)).toBe('fresh');
    expect(await second.claim(digest, expiresAt)).toBe('replayed');
  });

  it('has an answer for an assertion that nobody accepts any more', async () => {
    const { first, clock, expiresAt } = await twoStores();
    clock.advanceSeconds(86_400);
    expect(await first.claim(someDigest(), expiresAt)).toBe('fresh');
  });
});
