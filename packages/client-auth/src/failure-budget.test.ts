import { frozenClock } from '@vestibule/protocol/testing';
import { expect, it } from 'vitest';
import { failureBudget } from './failure-budget.js';

function aBudget(perMinute: number, maxSubjects = 10) {
  const clock = frozenClock();
  return { clock, ...failureBudget({ clock, perMinute, maxSubjects }) };
}

it('lets so many failures come at once as the limit says, whatever it is, and then one whenever one has come back', () => {
  for (const perMinute of [1, 6, 7, 60, 1_000]) {
    const { spend, waitMs, clock } = aBudget(perMinute);
    for (let failure = 0; failure < perMinute; failure += 1) {
      expect(waitMs('a'), `${perMinute}`).toBe(0);
      spend('a');
    }
    expect(waitMs('a') / 1000).toBeCloseTo(60 / perMinute, 2);
    expect(waitMs('b')).toBe(0);
    clock.advanceSeconds(60 / perMinute);
    expect(waitMs('a')).toBe(0);
    spend('a');
    expect(waitMs('a')).toBeGreaterThan(0);
    clock.advanceSeconds(60);
    expect(waitMs('a')).toBe(0);
  }
});

it('never waits for longer than one failure takes to come back, however many there were', () => {
  const { spend, waitMs } = aBudget(6);
  for (let failure = 0; failure < 1_000; failure += 1) spend('a');
  expect(waitMs('a')).toBe(10_000);
});

it('holds nothing against anybody after the clock was set back', () => {
  const { spend, waitMs, clock } = aBudget(1);
  spend('a');
  clock.advanceSeconds(-3600);
  expect(waitMs('a')).toBe(0);
});

it('takes bounded memory: who failed longest ago is forgotten', () => {
  const { spend, waitMs } = aBudget(1, 2);
  for (const subject of ['a', 'b', 'a', 'c']) spend(subject);
  expect(['a', 'b', 'c'].map((subject) => waitMs(subject) > 0)).toEqual([true, false, true]);
});
