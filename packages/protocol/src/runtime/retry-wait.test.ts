import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seededRandom } from '../testing/seeded-random.js';
import { retryWaitMs } from './retry-wait.js';

const wait = (attempts: number, retryAfterSeconds: number | undefined, seed: number) =>
  retryWaitMs(
    { attempts, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) },
    seededRandom(seed),
  );

it('lies between zero and a limit that doubles with each attempt, from a second to an hour', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1 }), (attempts, seed) => {
      const limit = Math.min(3_600_000, 1_000 * 2 ** (attempts - 1));
      const waitMs = wait(attempts, undefined, seed);
      expect(Number.isSafeInteger(waitMs)).toBe(true);
      expect(waitMs).toBeGreaterThanOrEqual(0);
      expect(waitMs).toBeLessThan(limit);
    }),
  );
});

it('has a lower limit on request', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1 }), (attempts, seed) => {
      const waitMs = retryWaitMs({ attempts, longestMs: 60_000 }, seededRandom(seed));
      expect(waitMs).toBeLessThan(Math.min(60_000, 1_000 * 2 ** (attempts - 1)));
    }),
  );
});

it('spreads over the whole range', () => {
  const waits = Array.from({ length: 400 }, (_, index) => wait(5, undefined, 7_919 * (index + 1)));
  for (const part of [0, 0.25, 0.5, 0.75])
    expect(waits.filter((ms) => ms >= part * 16_000 && ms < (part + 0.25) * 16_000).length).toBeGreaterThan(
      40,
    );
});

it('respects Retry-After, up to an hour', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 1 }), (seconds, seed) => {
      const waitMs = wait(1, seconds, seed);
      expect(waitMs).toBeGreaterThanOrEqual(Math.min(seconds, 3_600) * 1_000);
      expect(waitMs).toBeLessThan(Math.min(seconds, 3_600) * 1_000 + 1_000);
    }),
  );
});
