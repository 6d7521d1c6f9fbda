import type { VerificationKey } from '@vestibule/crypto';
import { describe, expect, it } from 'vitest';
import { SIGNING_KEYS_TAG } from '../cache-tag.js';
import { turnsPass } from '../testing/simulated-cluster.js';
import { simulatedStream } from '../testing/simulated-stream.js';
import { simulatedTime } from '../testing/simulated-time.js';
import { aKeyRing } from '../testing/token-fixture.js';
import { currentKeys } from './current-keys.js';
import { invalidationLog } from './invalidation-log.js';

/** A ring that holds what the store had when it was last read; readings end when a test says so. */
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
  const prove = () => {
    stream.beat();
    stream.deliver(stream.waiting);
  };
  /** Withdraws the old key and adds a new one, as one commit. */
  const replace = () => {
    stored.delete('old');
    stored.add('new');
    stream.commit({ kind: 'entities', tags: [SIGNING_KEYS_TAG] });
  };
  const verifies = async (kid: string) => (await keys.verificationKeys({ alg: 'ES256', kid })).length > 0;
  /** Asks while readings end well as soon as they begin. */
  const asked = async (kid: string) => {
    const response = verifies(kid);
    await turnsPass();
    while (readings.length > 0) readings.shift()?.(true);
    return response;
  };
  prove();
  // Those that are read as soon as invalidation events begin.
  readings.shift()?.(true);
  await turnsPass();
  return { time, stream, readings, prove, replace, verifies, asked };
}

/** The same when someone has verified by it. */
async function aRing() {
  const ring = await aNewRing();
  expect(await ring.asked('old')).toBe(true);
  return ring;
}

describe('the keys that verify at present', () => {
  it('are read again when their change is announced, and nothing verifies by those of before', async () => {
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

  it('are read again when their change is announced before anyone verified, for those who sign', async () => {
    const { stream, readings, replace, prove } = await aNewRing();
    prove();
    expect(readings).toHaveLength(0);
    replace();
    stream.deliver(1);
    expect(readings).toHaveLength(1);
  });

  it('are read once more when they changed during a reading', async () => {
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

  it('are nobody to be guessed while they cannot be read, and are read at the next question', async () => {
    const { stream, readings, replace, verifies, asked } = await aRing();
    replace();
    stream.deliver(1);
    const response = verifies('old');
    await turnsPass();
    readings.shift()?.(false);
    await expect(response).rejects.toThrow('store down');
    expect(await asked('old')).toBe(false);
    expect(await asked('new')).toBe(true);
  });

  it('are read once a second at most where no announcement can be heard, and else never', async () => {
    const { time, stream, prove, readings, replace, verifies, asked } = await aRing();
    for (let second = 0; second < 100; second += 1) {
      time.pass(1_000);
      prove();
      expect(await verifies('old')).toBe(true);
    }
    stream.lose();
    replace();
    expect(await asked('old')).toBe(false);
    for (const passedMs of [0, 500, 499]) {
      time.pass(passedMs);
      expect(await verifies('new')).toBe(true);
    }
    time.pass(1);
    void verifies('new');
    await turnsPass();
    expect(readings).toHaveLength(1);
  });

  it('are read again after announcements were lost', async () => {
    const { stream, prove, replace, asked, time } = await aRing();
    stream.lose();
    replace();
    stream.start();
    time.pass(1_000);
    prove();
    expect(await asked('old')).toBe(false);
    expect(await asked('new')).toBe(true);
  });

  // Otherwise what they verify is remembered for as long as nothing is announced, and the change never is.
  for (const [when, readWhileLost] of [
    ['just before announcements were lost', false],
    ['while announcements were lost', true],
  ] as const)
    it(`count for nothing once announcements begin again when they were read ${when}`, async () => {
      const { stream, prove, replace, asked } = await aRing();
      stream.lose();
      if (readWhileLost) expect(await asked('old')).toBe(true);
      replace();
      stream.start();
      prove();
      expect(await asked('old')).toBe(false);
      expect(await asked('new')).toBe(true);
    });

  it('cost no reading for an id that anyone invents', async () => {
    const { readings, verifies } = await aRing();
    for (let invented = 0; invented < 100; invented += 1) expect(await verifies(`x${invented}`)).toBe(false);
    expect(readings).toHaveLength(0);
  });
});
