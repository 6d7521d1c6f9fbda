import { machineTime } from '@vestibule/protocol';
import { seededRandom } from '@vestibule/protocol/testing';
import { expect, it } from 'vitest';
import { databaseClock } from './database-clock.js';
import { opened } from './testing/fixtures.js';
import { aMigratedDatabase } from './testing/test-database.js';

/** A clock with all its inputs under control. */
function aClock() {
  const state = { machineMs: 1_000, databaseMs: 500_000, monotonicMs: 0, roundTripMs: 20, isDown: false };
  const pass = (ms: number) => {
    for (const name of ['machineMs', 'databaseMs', 'monotonicMs'] as const) state[name] += ms;
  };
  const wall = { nowMs: () => state.machineMs };
  const monotonic = () => state.monotonicMs;
  const clock = databaseClock({
    readEpochMs: async () => {
      if (state.isDown) throw new Error('database down');
      pass(state.roundTripMs / 2);
      const epochMs = state.databaseMs;
      pass(state.roundTripMs / 2);
      return epochMs;
    },
    clock: wall,
    monotonic,
    machine: machineTime({ wall, monotonicMs: monotonic }),
  });
  return { state, pass, clock };
}

it('uses the time of the machine until the time of the database is known, and then that of the database', async () => {
  const { state, pass, clock } = aClock();
  expect(clock.nowMs()).toBe(1_000);
  await clock.adjust();
  expect(clock.nowMs()).toBe(state.databaseMs);
  state.machineMs += 120_000;
  pass(777);
  expect(clock.nowMs()).toBe(state.databaseMs);
});

it('uses the time of the database even if the machine is only slightly off, so that two processes agree', async () => {
  const { state, clock } = aClock();
  await clock.adjust();
  for (const offMs of [-1_000, -999, -50, 0, 50, 999, 1_000]) {
    state.machineMs = state.databaseMs + offMs;
    expect(clock.nowMs()).toBe(state.databaseMs);
  }
});

it('has an uncertainty of half the round trip to the database, which grows with the age of the reading', async () => {
  const { state, pass, clock } = aClock();
  expect(clock.errorMs()).toBe(Number.POSITIVE_INFINITY);
  state.roundTripMs = 501;
  await clock.adjust();
  expect(clock.errorMs()).toBe(Number.POSITIVE_INFINITY);
  state.roundTripMs = 100;
  await clock.adjust();
  pass(1_950);
  expect(clock.errorMs()).toBe(52);
  state.roundTripMs = 20;
  await clock.adjust();
  expect(clock.errorMs()).toBeCloseTo(10.01);
});

it.each([900, 200])(
  'reads the time again after %i ms when the response came late, as the first one of a process does',
  async (firstMs) => {
    const state = { monotonicMs: 0, requested: 0 };
    const clock = databaseClock({
      readEpochMs: async () => {
        state.requested += 1;
        state.monotonicMs += state.requested === 1 ? firstMs : 4;
        return 500_000 + state.monotonicMs;
      },
      clock: { nowMs: () => 1_000 },
      monotonic: () => state.monotonicMs,
      machine: { jumps: () => 0 },
    });
    await clock.adjust();
    expect([state.requested, clock.errorMs() < 5]).toEqual([2, true]);
  },
);

it('accepts late responses if all responses are late', async () => {
  const { state, clock } = aClock();
  state.roundTripMs = 200;
  await clock.adjust();
  expect(clock.errorMs()).toBeCloseTo(100, 0);
});

it('never runs backwards, and never has a greater error than its uncertainty, whatever the delays of responses', async () => {
  const random = seededRandom();
  const upTo = (ms: number) => ((random.bytes(1)[0] ?? 0) / 255) * ms;
  let monotonicMs = 0;
  const databaseMs = () => 500_000 + monotonicMs;
  const clock = databaseClock({
    readEpochMs: async () => {
      const longestMs = [2, 6, 40, 240][(random.bytes(1)[0] ?? 0) % 4] ?? 0;
      monotonicMs += upTo(longestMs);
      const epochMs = databaseMs();
      monotonicMs += upTo(longestMs);
      return epochMs;
    },
    // The clock of the machine is a second off and must not be used.
    clock: { nowMs: () => Math.floor(databaseMs()) - 1_000 },
    monotonic: () => monotonicMs,
    machine: { jumps: () => 0 },
  });
  await clock.adjust();
  let before = clock.nowMs();
  for (let step = 0; step < 4_000; step += 1) {
    monotonicMs += upTo(100);
    if (step % 7 === 0) await clock.adjust();
    const now = clock.nowMs();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(Math.abs(now - databaseMs())).toBeLessThanOrEqual(clock.errorMs());
    before = now;
  }
});

it('stands still until the database has caught up when it is ahead, and goes back if the clock of the database is set back', async () => {
  const { state, pass, clock } = aClock();
  await clock.adjust();
  const before = clock.nowMs();
  state.databaseMs -= 900;
  await clock.adjust();
  expect(clock.nowMs()).toBe(before);
  expect(clock.errorMs()).toBeGreaterThan(850);
  pass(1_000);
  expect(clock.nowMs()).toBe(state.databaseMs);
  expect(clock.errorMs()).toBeLessThan(15);
  state.databaseMs -= 1_000 + state.roundTripMs;
  await clock.adjust();
  expect(clock.nowMs()).toBe(state.databaseMs);
});

it('follows a change of the clock of the database, unless the response took too long', async () => {
  const { state, clock } = aClock();
  await clock.adjust();
  state.databaseMs -= 60_000;
  await clock.adjust();
  expect(clock.nowMs()).toBe(state.databaseMs);
  state.databaseMs += 5_000;
  state.roundTripMs = 501;
  await clock.adjust();
  expect(clock.nowMs()).toBe(state.databaseMs - 5_000);
});

it('keeps a precise reading as long as no later one contradicts it', async () => {
  const { state, pass, clock } = aClock();
  await clock.adjust();
  state.roundTripMs = 200;
  // Read at once and delivered late, so that it looks a hundred milliseconds old.
  state.databaseMs -= 90;
  await clock.adjust();
  expect(clock.nowMs()).toBe(state.databaseMs + 90);
  state.databaseMs -= 5_000;
  await clock.adjust();
  expect(clock.nowMs()).toBe(state.databaseMs);
  // Exact again, and soon used.
  state.roundTripMs = 20;
  state.databaseMs += 50;
  pass(1_000);
  await clock.adjust();
  expect(clock.nowMs()).toBe(state.databaseMs);
});

it('continues while the database does not respond', async () => {
  const { state, pass, clock } = aClock();
  await clock.adjust();
  state.isDown = true;
  pass(60_000);
  await expect(clock.adjust()).rejects.toThrow('database down');
  expect(clock.nowMs()).toBe(state.databaseMs);
});

it('has an infinite error after a pause of the machine until the database has responded, however late', async () => {
  for (const roundTripMs of [20, 900]) {
    const { state, pass, clock } = aClock();
    await clock.adjust();
    expect(clock.settle()).toBeUndefined();
    state.machineMs += 12_000;
    state.databaseMs += 12_000;
    state.roundTripMs = roundTripMs;
    expect(clock.errorMs()).toBe(Number.POSITIVE_INFINITY);
    await clock.settle();
    expect(clock.settle()).toBeUndefined();
    expect(Math.abs(clock.nowMs() - state.databaseMs)).toBeLessThanOrEqual(clock.errorMs());
    pass(777);
    expect(clock.jumps()).toBe(1);
  }
});

it('still uses the time of the database when the wall clock of the machine was set', async () => {
  const { state, clock } = aClock();
  await clock.adjust();
  for (const setMs of [120_000, -120_000]) {
    state.machineMs += setMs;
    expect(clock.nowMs()).toBe(state.databaseMs);
    await clock.settle();
    expect(clock.nowMs()).toBe(state.databaseMs);
  }
});

it('reads the time once for all callers after a pause, rejects while the database does not respond, and retries', async () => {
  const { state, clock } = aClock();
  await clock.adjust();
  state.machineMs += 12_000;
  state.isDown = true;
  const settling = clock.settle();
  expect(clock.settle()).toBe(settling);
  await expect(settling).rejects.toThrow('database down');
  state.isDown = false;
  await clock.settle();
  expect(clock.settle()).toBeUndefined();
});

it('discards a reading during which the machine was paused', async () => {
  const wall = { nowMs: () => state.machineMs };
  const state = { machineMs: 0, paused: 0, requested: 0 };
  const clock = databaseClock({
    readEpochMs: async () => {
      state.requested += 1;
      if (state.requested === 2) state.machineMs += 12_000;
      return 500_000 + (state.requested > 2 ? 12_000 : 0);
    },
    clock: wall,
    monotonic: () => 0,
    machine: machineTime({ wall, monotonicMs: () => 0 }),
  });
  await clock.adjust();
  await clock.adjust();
  expect(clock.errorMs()).toBe(Number.POSITIVE_INFINITY);
  await clock.settle();
  expect(clock.nowMs()).toBe(512_000);
});

it('reads the time of a database in milliseconds', async () => {
  const database = opened({ url: await aMigratedDatabase() });
  // On the same machine the time lies between two readings of its clock, with a tolerance of a second.
  const before = Date.now();
  const epochMs = await database.nowMs();
  expect(epochMs).toBeGreaterThan(before - 1_000);
  expect(epochMs).toBeLessThan(Date.now() + 1_000);
});
