import { seededRandom } from '@vestibule/protocol/testing';
import { expect, it } from 'vitest';
import { retryPauseMs } from './retry-pause.js';

it('grows with each failure up to 30 seconds, and is random', () => {
  const random = seededRandom();
  for (const [failures, limitMs] of [
    [1, 1_000],
    [2, 2_000],
    [5, 16_000],
    [6, 30_000],
    [1_000, 30_000],
  ] as const) {
    const pauses = Array.from({ length: 100 }, () => retryPauseMs(failures, random));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(limitMs / 2);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(limitMs);
    expect(new Set(pauses).size).toBeGreaterThan(10);
  }
});
