import { epochSeconds } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import type { Change } from './change.js';
import { recentChanges } from './recent-changes.js';

function aChange(id: number): Change {
  return {
    id: String(id),
    type: 'client.ended',
    occurredAt: epochSeconds(1),
    reason: 'deleted',
    members: {},
  };
}

function changesFrom(first: number, last: number): readonly Change[] {
  return Array.from({ length: last - first + 1 }, (_, index) => aChange(first + index));
}

it('returns the changes after each one that it has, and after the one before them', () => {
  const recent = recentChanges(1_000_000);
  expect(recent.after('0', 10)).toBeUndefined();
  recent.restart('0');
  expect(recent.after('0', 10)).toEqual([]);
  recent.add(changesFrom(1, 3));
  recent.add(changesFrom(4, 5));
  expect(recent.after('0', 10)).toEqual(changesFrom(1, 5));
  expect(recent.after('0', 2)).toEqual(changesFrom(1, 2));
  expect(recent.after('3', 10)).toEqual(changesFrom(4, 5));
  expect(recent.after('5', 10)).toEqual([]);
  expect(recent.after('6', 10)).toBeUndefined();
});

it('forgets the oldest changes beyond its size, and never has a gap', () => {
  const recent = recentChanges(100 * JSON.stringify(aChange(1_000)).length);
  recent.restart('999');
  recent.add(changesFrom(1_000, 1_099));
  expect(recent.after('999', 1_000)).toHaveLength(100);
  recent.add(changesFrom(1_100, 1_100));
  expect(recent.after('999', 1_000)).toBeUndefined();
  expect(recent.after('1024', 1_000)).toBeUndefined();
  expect(recent.after('1025', 1_000)).toEqual(changesFrom(1_026, 1_100));
  recent.add(changesFrom(1_101, 1_300));
  expect(recent.after('1300', 1_000)).toEqual([]);
  expect(recent.after('1225', 1_000)).toEqual(changesFrom(1_226, 1_300));
});

it('keeps the end after a change that is larger than its size', () => {
  const recent = recentChanges(10);
  recent.restart('0');
  recent.add(changesFrom(1, 2));
  expect(recent.after('0', 10)).toBeUndefined();
  expect(recent.after('2', 10)).toEqual([]);
});

it('forgets everything on request', () => {
  const recent = recentChanges(1_000_000);
  recent.restart('0');
  recent.add(changesFrom(1, 3));
  recent.restart();
  expect(recent.after('3', 10)).toBeUndefined();
  recent.restart('9');
  recent.add(changesFrom(10, 10));
  expect(recent.after('9', 10)).toEqual(changesFrom(10, 10));
});
