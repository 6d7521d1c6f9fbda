import { expect, it } from 'vitest';
import { databaseClock } from './database-clock.js';
import { opened } from './testing/fixtures.js';
import { aMigratedDatabase } from './testing/test-database.js';

/** A clock of which everything can be set. */
function aClock() {
  const state = { machineMs: 1_000, databaseMs: 500_000, monotonicMs: 0, roundTripMs: 20, isDown: false };
  const pass = (ms: number) => {
    for (const name of ['machineMs', 'databaseMs', 'monotonicMs'] as const) state[name] += ms;
  };
  const clock = databaseClock({
    ask: async () => {
      if (state.isDown) throw new Error('database down');
      pass(state.roundTripMs / 2);
      const toldMs = state.databaseMs;
      pass(state.roundTripMs / 2);
      return toldMs;
    },
    clock: { nowMs: () => state.machineMs },
    monotonic: () => state.monotonicMs,
  });
  return { state, pass, clock };
}

it('goes by the machine until the database has said its time, and from then on by the database where they differ', async () => {
  const { state, pass, clock } = aClock();
  expect(clock.nowMs()).toBe(1_000);
  await clock.adjust();
  expect(clock.nowMs()).toBe(state.databaseMs);
  state.machineMs += 120_000;
  pass(777);
  expect(clock.nowMs()).toBe(state.databaseMs);
});

it('leaves a machine alone that is less than a second off', async () => {
  const { state, clock } = aClock();
  for (const offMs of [-999, 0, 999]) {
    state.machineMs = state.databaseMs + offMs;
    await clock.adjust();
    expect(clock.nowMs()).toBe(state.machineMs);
  }
  state.machineMs = state.databaseMs + 1_000;
  expect(clock.nowMs()).toBe(state.databaseMs);
});

it('follows the database when that moves, unless its answer took too long to tell', async () => {
  const { state, clock } = aClock();
  await clock.adjust();
  state.databaseMs -= 60_000;
  await clock.adjust();
  expect(clock.nowMs()).toBe(state.databaseMs);
  state.databaseMs += 5_000;
  state.roundTripMs = 251;
  await clock.adjust();
  expect(clock.nowMs()).toBe(state.databaseMs - 5_000);
});

it('keeps what it was told quickly, as long as nothing contradicts it', async () => {
  const { state, pass, clock } = aClock();
  await clock.adjust();
  state.roundTripMs = 200;
  // Told as soon as asked, and heard of late: seemingly a hundred milliseconds ago.
  state.databaseMs -= 90;
  await clock.adjust();
  expect(clock.nowMs()).toBe(state.databaseMs + 90);
  state.databaseMs -= 5_000;
  await clock.adjust();
  expect(clock.nowMs()).toBe(state.databaseMs);
  // Quick again, and soon believed.
  state.roundTripMs = 20;
  state.databaseMs += 50;
  pass(1_000);
  await clock.adjust();
  expect(clock.nowMs()).toBe(state.databaseMs);
});

it('goes on while the database does not say', async () => {
  const { state, pass, clock } = aClock();
  await clock.adjust();
  state.isDown = true;
  pass(60_000);
  await expect(clock.adjust()).rejects.toThrow('database down');
  expect(clock.nowMs()).toBe(state.databaseMs);
});

it('asks a database for its time in milliseconds', async () => {
  const database = opened({ url: await aMigratedDatabase() });
  // The same machine: what it says lies between two looks at the clock, give or take a second.
  const before = Date.now();
  const told = await database.nowMs();
  expect(told).toBeGreaterThan(before - 1_000);
  expect(told).toBeLessThan(Date.now() + 1_000);
});
