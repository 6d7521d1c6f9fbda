import type { ClientId } from '@vestibule/protocol';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DeliveryTarget } from './delivery-outbox.js';
import { deliverySlots, type RunningAttempt, type TargetVerdict } from './delivery-slots.js';

const at = (clientId: string, host = 'host'): DeliveryTarget => ({ host, clientId: clientId as ClientId });

function someSlots(limits = { perHost: 4, failing: 2 }) {
  let nowMs = 0;
  const slots = deliverySlots(limits, () => nowMs);
  const attempt = (target: DeliveryTarget, verdict: TargetVerdict) => slots.begin(target).end(verdict);
  const ofHost = (host = 'host') =>
    slots.free().hosts.find((each) => each.host === host)?.slots ?? limits.perHost;
  const of = ({ host, clientId }: DeliveryTarget) =>
    slots.free().targets.find((each) => each.host === host && each.clientId === clientId)?.slots ?? 1;
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { slots, attempt, ofHost, of, pass };
}

it('gives a client one slot at first, doubles it with each response, never gives it the last slot of its host, and resets it to one after a failure', () => {
  const { attempt, of } = someSlots();
  expect(of(at('a'))).toBe(1);
  for (const slots of [2, 3, 3]) {
    attempt(at('a'), 'responds');
    expect(of(at('a'))).toBe(slots);
  }
  attempt(at('a'), 'fails');
  expect(of(at('a'))).toBe(1);
  attempt(at('a'), 'unknown');
  expect(of(at('a'))).toBe(1);
});

it.each(['fails', 'hangs'] as const)(
  'pauses a client that %s three times in a row, twice as long each time up to a minute, and no other client of its host',
  (verdict) => {
    const { attempt, of, ofHost, pass } = someSlots();
    attempt(at('a'), verdict);
    attempt(at('a'), verdict);
    expect(of(at('a'))).toBe(1);
    for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      attempt(at('a'), verdict);
      pass(pauseMs - 1);
      expect([of(at('a')), of(at('b')), of(at('a', 'host:8443')), ofHost()]).toEqual([0, 1, 1, 4]);
      pass(1);
      expect(of(at('a'))).toBe(1);
    }
    attempt(at('a'), 'responds');
    expect(of(at('a'))).toBe(2);
  },
);

it('gives the slot of a slow attempt back to the host, and keeps the client of that attempt waiting', () => {
  const { slots, attempt, of, ofHost } = someSlots();
  for (const _ of [1, 2]) attempt(at('a'), 'responds');
  const running = [1, 2, 3].map(() => slots.begin(at('a')));
  expect([ofHost(), of(at('a')), of(at('b'))]).toEqual([1, 0, 1]);
  running[0]?.becomesSlow();
  expect([ofHost(), of(at('a'))]).toEqual([2, 0]);
  running[1]?.end('responds');
  expect(of(at('a'))).toBe(0);
  running[0]?.end('responds');
  running[2]?.end('responds');
  expect([ofHost(), of(at('a'))]).toEqual([4, 3]);
});

it('starts nothing for hanging clients while as many attempts at their host are slow as it has slots, and continues for other clients', () => {
  const { slots, attempt, of } = someSlots({ perHost: 2, failing: 9 });
  for (const client of ['a', 'b', 'c']) attempt(at(client), 'hangs');
  attempt(at('refuses'), 'fails');
  const running = ['a', 'b'].map((client) => slots.begin(at(client)));
  for (const each of running) each.becomesSlow();
  expect(['c', 'refuses', 'new'].map((client) => of(at(client)))).toEqual([0, 1, 1]);
  running[0]?.end('hangs');
  expect(of(at('c'))).toBe(1);
});

it('limits all failing clients together to their share, and gives each of them its turn', () => {
  const { slots, attempt } = someSlots();
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const name of names) attempt(at(name, name), 'fails');
  const served = new Set<string>();
  for (let round = 0; round < 5; round += 1) {
    const open = slots.free().targets.filter((target) => target.slots > 0);
    expect(open).toHaveLength(2);
    for (const target of open) {
      served.add(target.clientId);
      attempt(target, 'fails');
    }
    if (served.size === names.length) break;
  }
  expect(served.size).toBe(5);
});

it('never exceeds the limit of a host or goes below zero, and leaves a slot for a client without failures whatever another client does', () => {
  type Event = TargetVerdict | 'begins' | 'slow';
  const aStep = fc.record({
    event: fc.constantFrom<Event>('responds', 'fails', 'hangs', 'unknown', 'begins', 'slow'),
    ms: fc.integer({ min: 0, max: 5_000 }),
  });
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 60 }), (steps) => {
      const { slots, pass, ofHost, of } = someSlots();
      const fast: RunningAttempt[] = [];
      const slow: RunningAttempt[] = [];
      const begin = () => {
        if (Math.min(ofHost(), of(at('a'))) > 0) fast.push(slots.begin(at('a')));
      };
      const slowDown = () => {
        for (const attempt of fast.splice(0, 1)) {
          attempt.becomesSlow();
          slow.push(attempt);
        }
      };
      const step = (event: Event) => {
        if (event === 'begins') return begin();
        if (event === 'slow') return slowDown();
        (slow.shift() ?? fast.shift())?.end(event);
      };
      for (const { event, ms } of steps) {
        step(event);
        expect(fast.length).toBeLessThanOrEqual(3);
        expect(ofHost()).toBe(4 - fast.length);
        expect([of(at('healthy')), of(at('a')) >= 0]).toEqual([1, true]);
        pass(ms);
      }
    }),
  );
});

it('forgets the clients that were used least recently', () => {
  const { slots, attempt } = someSlots();
  for (let index = 0; index < 5_000; index += 1) attempt(at(`client-${index}`), 'responds');
  const known = slots.free().targets.map(({ clientId }) => clientId);
  expect(known).toHaveLength(2_000);
  expect(known.at(-1)).toBe('client-4999');
});
