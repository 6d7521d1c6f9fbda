import { expect, it } from 'vitest';
import { reportLimit } from './report-limit.js';

it('reports one problem of each reason in an interval, with the number of those since the last report', () => {
  let nowMs = 0;
  const count = reportLimit(10_000, () => nowMs);
  const counts: (number | undefined)[] = [];
  for (; nowMs < 20_000; nowMs += 2_500) counts.push(count('connection'));
  const none = undefined;
  expect(counts).toEqual([1, none, none, none, 4, none, none, none]);
  expect(count('timeout')).toBe(1);
  expect(count('connection')).toBe(4);
});
