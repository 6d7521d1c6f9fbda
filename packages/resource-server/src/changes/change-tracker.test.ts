import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChangeEvent } from './change-event.js';
import { changeTracker } from './change-tracker.js';
import type { StampedResponse } from './freshness.js';
import { recentInvalidations } from './recent-invalidations.js';

const tagNumber = (name: string) => name.charCodeAt(0);

const response = (number: number, tags: readonly string[], epoch = 'e'): StampedResponse => ({
  stamp: { position: { epoch, number: BigInt(number) }, tags: tags.map(tagNumber) },
  checkedUpTo: -1,
});

const at = (number: number, epoch = 'e') => ({
  position: { epoch, number: BigInt(number) },
  timeMs: undefined,
});
const reset = (number: number, epoch = 'e'): ChangeEvent => ({
  kind: 'reset',
  at: BigInt(number - 1),
  ...at(number, epoch),
});
const heartbeat = (number: number, epoch = 'e'): ChangeEvent => ({ kind: 'heartbeat', ...at(number, epoch) });
const invalidate = (tags: readonly string[], changed: number, number: number): ChangeEvent => ({
  kind: 'invalidate',
  tags: tags.map(tagNumber),
  at: BigInt(changed),
  ...at(number),
});

function createFixture() {
  const time = { nowMs: 10_000 };
  const tracker = changeTracker(() => time.nowMs);
  tracker.connected();
  const isCurrent = (each: StampedResponse) => tracker.isCurrent(each, time.nowMs);
  const isFallback = (each: StampedResponse) => tracker.isFallback(each, time.nowMs);
  return { tracker, time, isCurrent, isFallback };
}

describe('a cached response', () => {
  it('is used as long as no event names one of its tags with its number or a greater one', () => {
    const { tracker, isCurrent } = createFixture();
    tracker.apply(reset(10));
    const [older, same, newer, other] = [
      response(10, ['a', 'b']),
      response(12, ['a']),
      response(13, ['a']),
      response(10, ['c']),
    ];
    expect([older, same, newer, other].map(isCurrent)).toEqual([true, true, true, true]);
    tracker.apply(invalidate(['x', 'a'], 12, 15));
    expect([older, same, newer, other].map(isCurrent)).toEqual([false, false, true, true]);
    expect([older, same, newer, other].map(tracker.isKeepable)).toEqual([false, false, true, true]);
  });

  it('is used while the last event is younger than a second', () => {
    const { tracker, time, isCurrent } = createFixture();
    tracker.apply(reset(10));
    const kept = response(10, ['a']);
    time.nowMs += 999;
    expect(isCurrent(kept)).toBe(true);
    time.nowMs += 1;
    expect(isCurrent(kept)).toBe(false);
    tracker.apply(heartbeat(11));
    expect(isCurrent(kept)).toBe(true);
    expect(tracker.lastEventId()).toBe('e.11');
  });

  it('is a fallback for five seconds, unless it is outdated', () => {
    const { tracker, time, isFallback } = createFixture();
    tracker.apply(reset(10));
    const [kept, outdated] = [response(10, ['a']), response(10, ['b'])];
    tracker.apply(invalidate(['b'], 10, 11));
    time.nowMs += 4_999;
    expect([isFallback(kept), isFallback(outdated)]).toEqual([true, false]);
    time.nowMs += 1;
    expect(isFallback(kept)).toBe(false);
  });

  it('is not used before the stream has begun, and not in another epoch', () => {
    const { tracker, isCurrent } = createFixture();
    expect([isCurrent(response(10, ['a'])), tracker.isKeepable(response(10, ['a']))]).toEqual([false, false]);
    tracker.apply(reset(10));
    expect(isCurrent(response(10, ['a'], 'f'))).toBe(false);
    expect(isCurrent({ stamp: undefined, checkedUpTo: -1 })).toBe(false);
  });

  it('is not used if the stream began after it', () => {
    const { tracker, isCurrent } = createFixture();
    tracker.apply({ kind: 'reset', at: 20n, ...at(15) });
    expect([isCurrent(response(20, ['a'])), isCurrent(response(21, ['a']))]).toEqual([false, true]);
  });

  it('is discarded by a reset, and by everything that contradicts the stream', () => {
    const contradictions: readonly (readonly ChangeEvent[])[] = [
      [heartbeat(10), heartbeat(9)],
      [heartbeat(10, 'f')],
      [{ ...invalidate(['b'], 1, 11), ...at(11, 'f') } as ChangeEvent],
    ];
    for (const events of [[reset(10)], ...contradictions]) {
      const { tracker, isCurrent } = createFixture();
      let discards = 0;
      tracker.apply(reset(8));
      tracker.onDiscard(() => {
        discards += 1;
      });
      const kept = response(8, ['a']);
      expect(isCurrent(kept)).toBe(true);
      const applied = events.map(tracker.apply);
      expect([isCurrent(kept), discards, applied.at(-1)]).toEqual([false, 1, events[0]?.kind === 'reset']);
      expect(tracker.lastEventId()).toBe(events[0]?.kind === 'reset' ? 'e.10' : undefined);
    }
  });

  it('is not current because of the first part of a longer event, whose position is the former one', () => {
    const { tracker, time, isCurrent } = createFixture();
    tracker.apply(reset(10));
    const kept = response(11, ['a']);
    time.nowMs += 999;
    expect(tracker.apply(invalidate(['b'], 12, 10))).toBe(true);
    time.nowMs += 1;
    expect([isCurrent(kept), tracker.lastEventId()]).toEqual([false, 'e.10']);
    tracker.apply(invalidate(['a'], 12, 13));
    expect([isCurrent(kept), tracker.lastEventId()]).toEqual([false, 'e.13']);
  });

  it('is current by the time at which the server knew, where it says so', () => {
    const { tracker, time, isCurrent } = createFixture();
    const timed = (event: ChangeEvent, timeMs: number) => ({ ...event, timeMs }) as ChangeEvent;
    tracker.apply({ kind: 'open', timeMs: 500 });
    tracker.apply(timed(reset(10), 500));
    const kept = response(10, ['a']);
    time.nowMs += 1_500;
    // Held back on its way for a second and a half, and for half a second.
    tracker.apply(timed(heartbeat(11), 500));
    expect(isCurrent(kept)).toBe(false);
    tracker.apply(timed(heartbeat(12), 1_500));
    expect(isCurrent(kept)).toBe(true);
    time.nowMs += 500;
    expect(isCurrent(kept)).toBe(false);
    // The watermark never lies in the future, even if the clock of the server runs ahead.
    tracker.apply(timed(heartbeat(13), 1_000_000));
    expect(tracker.watermarkMs()).toBe(time.nowMs);
  });
});

describe('the record of events', () => {
  interface Named {
    readonly tags: readonly string[];
    readonly number: number;
  }

  const named = fc.record({
    tags: fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1, maxLength: 3 }),
    number: fc.nat(30),
  });
  const step = fc.oneof(named, fc.nat(3));
  const kept = fc.array(named, { minLength: 4, maxLength: 4 });

  /** What all events together say, without forgetting any. */
  const isOutdated = (entry: Named, events: readonly Named[]) =>
    events.some(({ tags, number }) => number >= entry.number && tags.some((tag) => entry.tags.includes(tag)));

  /** The results of all checks, each with what all events before it say. */
  const checks = (entries: readonly Named[], steps: readonly (Named | number)[], capacity: number) => {
    const recent = recentInvalidations(capacity);
    recent.restart('e', -1n);
    const responses = entries.map(({ number, tags }) => response(number, tags));
    const seen: Named[] = [];
    return steps.flatMap((each) => {
      if (typeof each === 'object') {
        recent.record(each.tags.map(tagNumber), BigInt(each.number));
        seen.push(each);
        return [];
      }
      const [entry, stamped] = [entries[each], responses[each]];
      if (entry === undefined || stamped === undefined) return [];
      return [{ isIntact: recent.isIntact(stamped), isOutdated: isOutdated(entry, seen) }];
    });
  };

  it('says what all events would say while it forgets none', () => {
    fc.assert(
      fc.property(kept, fc.array(step, { maxLength: 40 }), (entries, steps) => {
        for (const check of checks(entries, steps, 1_000)) expect(check.isIntact).toBe(!check.isOutdated);
      }),
      { numRuns: 1_000 },
    );
  });

  it('calls no outdated response intact, whatever it forgets', () => {
    fc.assert(
      fc.property(kept, fc.array(step, { maxLength: 40 }), (entries, steps) => {
        for (const check of checks(entries, steps, 2)) expect(check.isIntact && check.isOutdated).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });
});
