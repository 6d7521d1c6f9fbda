import { expect, it } from 'vitest';
import { repeatedFetches } from './repeated-fetches.js';

const URL = 'https://app.example/client.json';
const TIMES = { apartMs: 3_000, killsAtMs: [] };

const sent = (begunAtMs: number, url = URL) => ({
  url,
  begunAtMs,
  servedAtMs: begunAtMs + 10,
  endedAtMs: begunAtMs + 20,
});
const failed = (begunAtMs: number, endedAtMs?: number) => ({
  url: URL,
  begunAtMs,
  ...(endedAtMs !== undefined && { endedAtMs }),
});

it('counts a fetch soon after another one that brought the document', () => {
  expect(repeatedFetches([sent(0), sent(3_009), sent(7_000)], TIMES)).toBe(1);
});

it('counts a fetch while another one is under way', () => {
  expect(repeatedFetches([failed(0, 2_500), failed(2_499, 5_000), failed(5_000), failed(9_000)], TIMES)).toBe(
    2,
  );
});

it('allows a fetch that a killed process explains, and fetches of other documents', () => {
  expect(repeatedFetches([sent(0), sent(1_000)], { ...TIMES, killsAtMs: [500] })).toBe(0);
  expect(repeatedFetches([sent(0), sent(1_000)], { ...TIMES, killsAtMs: [1_500] })).toBe(1);
  expect(repeatedFetches([sent(0), sent(1, 'https://app.example/other.json')], TIMES)).toBe(0);
});
