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
  const keepUntil = epochSeconds(clock.nowMs() / 1000 + 300);
  return { first, second, raw, clock, keepUntil };
}

describe('the replay store', () => {
  it('reports exactly one of 200 parallel uses on two instances as the first', async () => {
    const { first, second, keepUntil } = await twoStores();
    const digest = someDigest();
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, use) => (use % 2 === 0 ? first : second).recordUse(digest, keepUntil)),
    );
    expect(outcomes.filter((outcome) => outcome === 'fresh')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'replayed')).toHaveLength(199);
  });

  it('distinguishes assertions', async () => {
    const { first, second, keepUntil } = await twoStores();
    expect(await first.recordUse(someDigest(), keepUntil)).toBe('fresh');
    expect(await second.recordUse(someDigest(), keepUntil)).toBe('fresh');
  });

  it('keeps a use for the requested time and the clock skew, and no longer', async () => {
    const { first, raw, keepUntil } = await twoStores();
    const digest = someDigest();
    await first.recordUse(digest, keepUntil);
    const key = `vestibule:1:assertion:${digestText(digest)}`;
    expect(await raw.keys('*')).toEqual([key]);
    expect(await raw.pttl(key)).toSatisfy((ms: number) => ms > 357_000 && ms <= 360_000);
  });

  it('refuses the second of two uses after their time is over', async () => {
    const { first, second, clock, keepUntil } = await twoStores();
    const digest = someDigest();
    clock.advanceSeconds(86_400);
    expect(await first.recordUse(digest, keepUntil)).toBe('fresh');
    expect(await second.recordUse(digest, keepUntil)).toBe('replayed');
  });
});
