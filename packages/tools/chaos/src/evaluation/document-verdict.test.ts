import { expect, it } from 'vitest';
import { type DocumentEvent, documentViolations } from './document-verdict.js';

const URL = 'https://app.example/client.json';
const TIMES = { lifetimeMs: 5_000, staleMs: 5_000 };
const KEPT = { stale: 0, resurrected: 0, falselyInactive: 0 };

const servedAt = (ms: number): DocumentEvent => ({
  kind: 'served',
  url: URL,
  begunAtMs: ms - 10,
  doneAtMs: ms,
});
const withdrawnAt = (ms: number): DocumentEvent => ({ kind: 'withdrawn', url: URL, doneAtMs: ms });
const spoiledAt = (ms: number): DocumentEvent => ({ kind: 'spoiled', url: URL, doneAtMs: ms });
const usedAt = (ms: number, isAccepted: boolean): DocumentEvent => ({
  kind: 'used',
  url: URL,
  begunAtMs: ms,
  doneAtMs: ms + 5,
  isAccepted,
});

it.each([
  ['before it was sent', [usedAt(1_000, true)]],
  ['after its time', [servedAt(0), usedAt(11_001, true)]],
  ['after its time, though its host sent something else', [servedAt(0), spoiledAt(1), usedAt(11_001, true)]],
  ['after its lifetime, though it was withdrawn', [servedAt(0), withdrawnAt(100), usedAt(6_001, true)]],
])('counts a document that is used %s', (_when, events) => {
  expect(documentViolations(events, TIMES)).toEqual({ ...KEPT, stale: 1 });
});

it('counts a document that is used again without having been sent again', () => {
  const events = [servedAt(0), withdrawnAt(100), usedAt(3_000, false), usedAt(3_100, true)];
  expect(documentViolations(events, TIMES)).toEqual({ ...KEPT, resurrected: 1 });
});

it.each([
  ['at once', 100],
  ['while its host may be out of reach', 8_900],
])('counts a document that is refused within its time: %s', (_when, ms) => {
  const events = [spoiledAt(-100), servedAt(0), usedAt(ms, false)];
  expect(documentViolations(events, TIMES)).toEqual({
    ...KEPT,
    falselyInactive: 1,
  });
});

it.each([
  ['is used within its time', [servedAt(0), usedAt(10_900, true)]],
  ['is used until its withdrawal must be known', [servedAt(0), withdrawnAt(100), usedAt(5_900, true)]],
  ['is refused after its time', [servedAt(0), usedAt(11_001, false)]],
  ['is refused after its host sent something else', [servedAt(0), spoiledAt(100), usedAt(101, false)]],
  ['is refused after its withdrawal', [servedAt(0), withdrawnAt(100), usedAt(101, false)]],
  [
    'is used after it came back',
    [servedAt(0), usedAt(11_001, false), servedAt(12_000), usedAt(12_001, true)],
  ],
  ['is sent while a request for it is refused', [usedAt(0, false), servedAt(6), usedAt(10, true)]],
  ['belongs to another host', [{ ...servedAt(0), url: 'https://other.example/c' }, usedAt(1, false)]],
] satisfies [string, DocumentEvent[]][])('allows a document that %s', (_what, events) => {
  expect(documentViolations(events, TIMES)).toEqual(KEPT);
});
