import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type HostVerdict, hostRooms } from './host-rooms.js';

function someRooms(limits = { perHost: 4, failing: 2 }) {
  let nowMs = 0;
  const hosts = hostRooms(limits, () => nowMs);
  const attempt = (host: string, verdict: HostVerdict) => {
    hosts.enter(host);
    hosts.leave(host, verdict);
  };
  const placesAt = (host: string) => hosts.rooms().find((room) => room.host === host)?.places;
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { hosts, attempt, placesAt, pass };
}

it('begins with one at a time, doubles with each answer up to the limit, and goes back with a failure', () => {
  const { attempt, placesAt } = someRooms();
  expect(placesAt('a')).toBeUndefined();
  for (const places of [2, 4, 4]) {
    attempt('a', 'answers');
    expect(placesAt('a')).toBe(places);
  }
  attempt('a', 'fails');
  expect(placesAt('a')).toBe(1);
  attempt('a', 'unknown');
  expect(placesAt('a')).toBe(1);
});

it('leaves a host alone after three failures in a row, twice as long each time up to a minute', () => {
  const { attempt, placesAt, pass } = someRooms();
  attempt('a', 'fails');
  attempt('a', 'fails');
  expect(placesAt('a')).toBe(1);
  for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
    attempt('a', 'fails');
    pass(pauseMs - 1);
    expect(placesAt('a')).toBe(0);
    pass(1);
    expect(placesAt('a')).toBe(1);
  }
  attempt('a', 'answers');
  expect(placesAt('a')).toBe(2);
});

it('gives all hosts that fail no more together than their part, and each of them its turn', () => {
  const { hosts, attempt } = someRooms();
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const name of names) attempt(name, 'fails');
  const served = new Set<string>();
  for (let round = 0; round < 5; round += 1) {
    const open = hosts.rooms().filter(({ places }) => places > 0);
    expect(open).toHaveLength(2);
    for (const { host } of open) {
      served.add(host);
      attempt(host, 'fails');
    }
    if (served.size === names.length) break;
  }
  expect(served.size).toBe(5);
});

it('never has more room at a host than its limit, nor less than none, whatever happens', () => {
  const step = fc.record({
    host: fc.constantFrom('a', 'b', 'c'),
    verdict: fc.constantFrom<HostVerdict>('answers', 'fails', 'unknown'),
    ms: fc.integer({ min: 0, max: 5_000 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { hosts, pass } = someRooms();
      const running: Record<string, number> = {};
      for (const { host, verdict, ms } of steps) {
        const places = hosts.rooms().find((room) => room.host === host)?.places ?? 1;
        if (places > 0) {
          hosts.enter(host);
          running[host] = (running[host] ?? 0) + 1;
        } else if ((running[host] ?? 0) > 0) {
          hosts.leave(host, verdict);
          running[host] = (running[host] ?? 0) - 1;
        }
        expect(running[host] ?? 0).toBeLessThanOrEqual(4);
        expect(hosts.rooms().every((room) => room.places >= 0 && room.places <= 4)).toBe(true);
        pass(ms);
      }
    }),
  );
});

it('forgets the hosts that were met least lately', () => {
  const { hosts, attempt } = someRooms();
  for (let index = 0; index < 5_000; index += 1) attempt(`host-${index}`, 'answers');
  const known = hosts.rooms().map(({ host }) => host);
  expect(known).toHaveLength(2_000);
  expect(known.at(-1)).toBe('host-4999');
});
