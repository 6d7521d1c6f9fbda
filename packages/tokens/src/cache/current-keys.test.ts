import type { VerificationKey } from '@vestibule/crypto/jwt';
import { describe, expect, it } from 'vitest';
import { turnsPass } from '../testing/simulated-cluster.js';
import { simulatedStream } from '../testing/simulated-stream.js';
import { simulatedTime } from '../testing/simulated-time.js';
import { aKeyRing } from '../testing/token-fixture.js';
import { SIGNING_KEYS_TAG } from './cache-tag.js';
import { currentKeys } from './current-keys.js';
import { invalidationLog } from './invalidation-log.js';

/** A key ring with the keys of the store as of its last refresh; the test completes refreshes. */
async function aNewRing() {
  const time = simulatedTime();
  const stream = simulatedStream(time.monotonic);
  const key: readonly VerificationKey[] = await aKeyRing().verificationKeys({ alg: 'ES256', kid: 'k1' });
  const stored = new Set(['old']);
  let held = new Set(stored);
  const readings: ((isWell: boolean) => void)[] = [];
  const log = invalidationLog({ stream, monotonic: time.monotonic });
  const keys = currentKeys({
    keys: {
      refresh: () => {
        const seen = new Set(stored);
        return new Promise((resolve, reject) => {
          readings.push((isWell) => {
            if (!isWell) return reject(new Error('store down'));
            held = seen;
            resolve();
          });
        });
      },
      verificationKeys: async ({ kid }) => (kid !== undefined && held.has(kid) ? key : []),
    },
    log,
    stream,
    monotonic: time.monotonic,
    scheduler: time.scheduler,
    maxAgeMs: 1_000,
  });
  const advanceWatermark = () => {
    stream.beat();
    stream.deliver(stream.waiting);
  };
  /** Withdraws the old key and adds a new one, in one commit. */
  const replace = () => {
    stored.delete('old');
    stored.add('new');
    stream.commit({ kind: 'entities', tags: [SIGNING_KEYS_TAG] });
  };
  const verifies = async (kid: string) => (await keys.verificationKeys({ alg: 'ES256', kid })).length > 0;
  /** Requests the keys while refreshes complete at once. */
  const verifiesAfterRead = async (kid: string) => {
    const response = verifies(kid);
    await turnsPass();
    while (readings.length > 0) readings.shift()?.(true);
    return response;
  };
  advanceWatermark();
  // The keys that are read when the stream starts.
  readings.shift()?.(true);
  await turnsPass();
  return { time, stream, readings, advanceWatermark, replace, verifies, verifiesAfterRead };
}

/** The same after a key was used. */
async function aRing() {
  const ring = await aNewRing();
  expect(await ring.verifiesAfterRead('old')).toBe(true);
  return ring;
}

describe('the current verification keys', () => {
  it('are read again after an invalidation event, and earlier keys are not used', async () => {
    const { stream, readings, replace, verifies } = await aRing();
    replace();
    stream.deliver(1);
    expect(readings).toHaveLength(1);
    const responses = Promise.all(['old', 'new'].map(verifies));
    await turnsPass();
    expect(readings).toHaveLength(1);
    readings.shift()?.(true);
    expect(await responses).toEqual([false, true]);
  });

  it('are read again for signing after an invalidation event that came before any verification', async () => {
    const { stream, readings, replace, advanceWatermark } = await aNewRing();
    advanceWatermark();
    expect(readings).toHaveLength(0);
    replace();
    stream.deliver(1);
    expect(readings).toHaveLength(1);
  });

  it('are read once more when they changed during a read', async () => {
    const { stream, readings, replace, verifies } = await aRing();
    stream.commit({ kind: 'entities', tags: [SIGNING_KEYS_TAG] });
    stream.deliver(1);
    replace();
    stream.deliver(1);
    const response = verifies('old');
    await turnsPass();
    expect(readings).toHaveLength(2);
    readings.shift()?.(true);
    await turnsPass();
    readings.shift()?.(true);
    expect(await response).toBe(false);
  });

  it('are unavailable while they cannot be read, and are read at the next call', async () => {
    const { stream, readings, replace, verifies, verifiesAfterRead } = await aRing();
    replace();
    stream.deliver(1);
    const response = verifies('old');
    await turnsPass();
    readings.shift()?.(false);
    await expect(response).rejects.toThrow('store down');
    expect(await verifiesAfterRead('old')).toBe(false);
    expect(await verifiesAfterRead('new')).toBe(true);
  });

  it('are read at most once a second while the stream is interrupted, and otherwise never', async () => {
    const { time, stream, advanceWatermark, readings, replace, verifies, verifiesAfterRead } = await aRing();
    for (let second = 0; second < 100; second += 1) {
      time.pass(1_000);
      advanceWatermark();
      expect(await verifies('old')).toBe(true);
    }
    stream.lose();
    replace();
    expect(await verifiesAfterRead('old')).toBe(false);
    for (const passedMs of [0, 500, 499]) {
      time.pass(passedMs);
      expect(await verifies('new')).toBe(true);
    }
    time.pass(1);
    void verifies('new');
    await turnsPass();
    expect(readings).toHaveLength(1);
  });

  it('are read again after a gap in the stream', async () => {
    const { stream, advanceWatermark, replace, verifiesAfterRead, time } = await aRing();
    stream.lose();
    replace();
    stream.start();
    time.pass(1_000);
    advanceWatermark();
    expect(await verifiesAfterRead('old')).toBe(false);
    expect(await verifiesAfterRead('new')).toBe(true);
  });

  // Otherwise tokens that they verify would stay cached, because no invalidation event arrives.
  for (const [when, readWhileLost] of [
    ['just before invalidation events were lost', false],
    ['while invalidation events were lost', true],
  ] as const)
    it(`are not used after the stream starts again when they were read ${when}`, async () => {
      const { stream, advanceWatermark, replace, verifiesAfterRead } = await aRing();
      stream.lose();
      if (readWhileLost) expect(await verifiesAfterRead('old')).toBe(true);
      replace();
      stream.start();
      advanceWatermark();
      expect(await verifiesAfterRead('old')).toBe(false);
      expect(await verifiesAfterRead('new')).toBe(true);
    });

  it('are not read for an unknown kid', async () => {
    const { readings, verifies } = await aRing();
    for (let invented = 0; invented < 100; invented += 1) expect(await verifies(`x${invented}`)).toBe(false);
    expect(readings).toHaveLength(0);
  });
});
