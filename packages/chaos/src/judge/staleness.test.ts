import type { TokenEvent } from '@vestibule/tokens/testing';
import { expect, it } from 'vitest';
import { aftermathsOf, stalenessOf } from './staleness.js';
import { spreadOf } from './statistics.js';

const revoked = (token: string, doneAtMs: number): TokenEvent => ({
  kind: 'revoked',
  token,
  begunAtMs: 0,
  doneAtMs,
});
const asked = (
  token: string,
  node: string,
  begunAtMs: number,
  answer: 'active' | 'inactive',
): TokenEvent => ({
  kind: 'asked',
  token,
  node,
  begunAtMs,
  doneAtMs: begunAtMs + 1,
  answer,
});

it('gives for each revocation and node when it was last wrong, and nothing for those that nobody acknowledged', () => {
  const events = [
    asked('one', 'a', 5, 'active'),
    revoked('one', 10),
    asked('one', 'a', 12, 'active'),
    asked('one', 'a', 15, 'active'),
    asked('one', 'a', 20, 'inactive'),
    asked('one', 'b', 11, 'inactive'),
    revoked('two', Number.POSITIVE_INFINITY),
    asked('two', 'a', 99, 'active'),
  ];
  expect(stalenessOf(events, ['a', 'b'])).toEqual([5, 0]);
});

it('tells the instance that revoked from others, and how long after the last wrong answer a right one was asked for', () => {
  const claim: TokenEvent = { ...asked('used', 'a', 100, 'active'), claims: true } as TokenEvent;
  const events = [
    claim,
    asked('used', 'a', 103, 'inactive'),
    asked('used', 'b', 105, 'active'),
    asked('used', 'b', 112, 'inactive'),
    revoked('told', 200),
    asked('told', 'a', 150, 'active'),
    asked('told', 'a', 204, 'inactive'),
    // Nobody knows how it went on there.
    asked('told', 'b', 204, 'active'),
  ];
  expect(aftermathsOf(events, ['a', 'b'])).toEqual([
    { isSameNode: true, staleMs: 0, unknownMs: 2 },
    { isSameNode: false, staleMs: 4, unknownMs: 7 },
    { isSameNode: false, staleMs: 0, unknownMs: 4 },
  ]);
});

it('gives the middle, the last hundredth and the end of a distribution', () => {
  expect(spreadOf([])).toBeUndefined();
  expect(spreadOf([1])).toEqual({ p50: 1, p99: 1, max: 1 });
  expect(spreadOf(Array.from({ length: 200 }, (_, index) => index))).toEqual({
    p50: 100,
    p99: 198,
    max: 199,
  });
});
