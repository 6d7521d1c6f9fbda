import type { TokenEvent } from '@vestibule/tokens/testing';
import { expect, it } from 'vitest';
import { stalenessOf } from './staleness.js';
import { spreadOf } from './statistics.js';

const RIGHT_AT_ONCE = { count: 1, p50: 0, p90: 0, p99: 0, p999: 0, max: 0 };

it('separates the instance that revoked from others, and omits instances that got no request', () => {
  const introspected = {
    kind: 'introspected',
    token: 'used',
    begunAtMs: 0,
    doneAtMs: 10,
    response: 'active',
  } as const;
  const right = { ...introspected, begunAtMs: 15, doneAtMs: 16, response: 'inactive' } as const;
  const claim: TokenEvent = { ...introspected, node: 'a', claims: true };
  const events: readonly TokenEvent[] = [claim, { ...right, node: 'a' }];
  const unknown = { count: 1, p50: 5, p90: 5, p99: 5, p999: 5, max: 5 };
  expect(stalenessOf(events, ['a', 'b'])).toEqual({ revocations: 1, sameNode: RIGHT_AT_ONCE, unknown });
  expect(stalenessOf([...events, { ...right, node: 'b' }], ['a', 'b'])).toEqual({
    revocations: 1,
    sameNode: RIGHT_AT_ONCE,
    elsewhere: RIGHT_AT_ONCE,
    unknown: { ...unknown, count: 2 },
  });
  expect(stalenessOf([claim], ['a', 'b'])).toBeUndefined();
});

it('gives the median, the 90th, 99th and 99.9th percentile and the maximum of a distribution', () => {
  expect(spreadOf([])).toBeUndefined();
  expect(spreadOf([1])).toEqual({ count: 1, p50: 1, p90: 1, p99: 1, p999: 1, max: 1 });
  const values = Array.from({ length: 2_000 }, (_, index) => 1_999 - index);
  expect(spreadOf(values)).toEqual({
    count: 2_000,
    p50: 1_000,
    p90: 1_800,
    p99: 1_980,
    p999: 1_998,
    max: 1_999,
  });
});
