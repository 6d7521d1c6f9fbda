import { expect, it } from 'vitest';
import { gapMs } from './watch.js';

const STALE_MS = 5_000;

it('introspects a revoked token until it is inactive: with pauses of a tenth of the elapsed time, and at the moment when inactive is due', () => {
  const ages = [0];
  for (let ageMs = 0; ageMs < 7_000; ages.push(ageMs)) ageMs += gapMs(ageMs, STALE_MS);
  const gaps = ages.slice(1).map((ageMs, index) => ({ ageMs, sinceMs: ageMs - (ages[index] ?? 0) }));
  expect(gaps.filter(({ ageMs, sinceMs }) => sinceMs > Math.max(2, ageMs / 10))).toEqual([]);
  expect(ages.find((ageMs) => ageMs > STALE_MS)).toBe(STALE_MS + 2);
  expect(ages.length).toBeLessThan(100);
});
