import { expect, it } from 'vitest';
import { whyWrong } from './run-target.js';

const replay = { kind: 'replay', load: Array.from({ length: 200 }, () => ''), samples: [] } as const;
const facts = { responseBytes: 300, connections: 10, traffic: replay };
const result = { requests: 150, seconds: 1, bytes: 150 * 300, failures: 0, p50Ms: 1, p99Ms: 1 };

it('accepts a result whose responses all have the expected size, with the last ones half read', () => {
  for (const bytes of [result.bytes, result.bytes + 1, result.bytes + 3000])
    expect(whyWrong({ ...result, bytes }, facts)).toBeUndefined();
});

it('rejects a result with a smaller or larger response among many', () => {
  for (const bytes of [result.bytes - 1, result.bytes - 250, result.bytes + 3001])
    expect(whyWrong({ ...result, bytes }, facts)).toMatch(/some differ/);
});

it('rejects a result with a single failure, even if everything else is correct', () => {
  expect(whyWrong({ ...result, failures: 1 }, facts)).toMatch(/1 of 150 requests failed/);
});

it('rejects a result in which single-use requests were sent twice', () => {
  const once = { ...facts, traffic: { ...replay, once: true } };
  expect(whyWrong({ ...result, requests: 190, bytes: 190 * 300 }, once)).toBeUndefined();
  expect(whyWrong({ ...result, requests: 191, bytes: 191 * 300 }, once)).toMatch(
    /exceed the 200 single-use requests/,
  );
});
