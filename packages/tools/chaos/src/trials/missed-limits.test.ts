import { expect, it } from 'vitest';
import { HEALTHY } from './fault.js';
import { missedLimits } from './missed-limits.js';

const NONE = { stale: 0, resurrected: 0, falselyInactive: 0, claimedTwice: 0, lost: 0 };
const WITHIN = { count: 200, p50: 0, p90: 10, p99: 250, p999: 900, max: 900 };
const STALENESS = { revocations: 100, sameNode: { ...WITHIN, p99: 0 }, elsewhere: WITHIN, unknown: WITHIN };
const GOOD = {
  requests: 9,
  failures: 0,
  slowestMs: 900,
  staleness: STALENESS,
  violations: NONE,
  recoveryMs: 1_000,
};

it('reports nothing when everything is within its limits', () => {
  expect(missedLimits(GOOD, HEALTHY)).toEqual([]);
});

it('reports each missed limit by itself', () => {
  const bad = [
    { violations: { ...NONE, resurrected: 2 } },
    { staleness: { ...STALENESS, elsewhere: { ...WITHIN, p99: 251 } } },
    { staleness: { ...STALENESS, atReference: { ...WITHIN, p99: 251 } } },
    { slowestMs: 1_001 },
    { failures: 1 },
    { recoveryMs: 1_001 },
  ];
  for (const deviation of bad) expect(missedLimits({ ...GOOD, ...deviation }, HEALTHY)).toHaveLength(1);
  expect(missedLimits({ ...GOOD, failures: 1 }, { ...HEALTHY, failures: 'some' })).toEqual([]);
});
