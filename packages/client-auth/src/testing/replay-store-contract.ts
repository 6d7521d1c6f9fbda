import { createHash, randomUUID } from 'node:crypto';
import { type EpochSeconds, nowSeconds, systemClock } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import type { ReplayStore } from '../assertions/replay-store.js';

/** Opens the same store twice, like two processes. */
export type OpenReplayStores = () => Promise<readonly [ReplayStore, ReplayStore]>;

/** Tests of the guarantees of every replay store; call it within a `describe` of the store's own tests. */
export function replayStoreContract(open: OpenReplayStores): void {
  const aDigest = () => createHash('sha256').update(randomUUID()).digest();
  const inAMinute = () => (nowSeconds(systemClock) + 60) as EpochSeconds;

  it('accepts a digest once, across processes', async () => {
    const [one, other] = await open();
    const digest = aDigest();
    expect(await one.recordUse(digest, inAMinute())).toBe('fresh');
    expect(await one.recordUse(digest, inAMinute())).toBe('replayed');
    expect(await other.recordUse(digest, inAMinute())).toBe('replayed');
  });

  it('keeps different digests apart', async () => {
    const [one, other] = await open();
    expect(await one.recordUse(aDigest(), inAMinute())).toBe('fresh');
    expect(await other.recordUse(aDigest(), inAMinute())).toBe('fresh');
  });

  it('accepts exactly one of 200 parallel uses in two processes', async () => {
    const stores = await open();
    const digest = aDigest();
    const uses = Array.from({ length: 200 }, (_, index) =>
      (index % 2 === 0 ? stores[0] : stores[1]).recordUse(digest, inAMinute()),
    );
    const outcomes = await Promise.all(uses);
    expect(outcomes.filter((outcome) => outcome === 'fresh')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'replayed')).toHaveLength(199);
  });
}
