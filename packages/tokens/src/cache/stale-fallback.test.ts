import { DeadlineError } from '@vestibule/protocol/runtime';
import { expect, it } from 'vitest';
import { turnsPass } from '../testing/simulated-cluster.js';
import { simulatedTime } from '../testing/simulated-time.js';
import { orStaleFallback, withinStoreDeadline } from './stale-fallback.js';

const NEVER = new Promise<string>(() => undefined);

/** Returns the result of a promise, or that it is pending. */
async function outcomeOf(promise: Promise<string>): Promise<unknown> {
  let outcome: unknown = 'nothing yet';
  promise.then(
    (result) => {
      outcome = result;
    },
    (error: unknown) => {
      outcome = error;
    },
  );
  await turnsPass();
  return outcome;
}

it('waits for the store for two seconds without a stale fallback', async () => {
  for (const begin of [
    (time: ReturnType<typeof simulatedTime>) => withinStoreDeadline(NEVER, time.scheduler),
    (time: ReturnType<typeof simulatedTime>) =>
      orStaleFallback(NEVER, {
        scheduler: time.scheduler,
        fallbackAfterMs: 100,
        staleFallback: () => undefined,
      }),
  ]) {
    const time = simulatedTime();
    const waiting = begin(time);
    time.pass(1_999);
    expect(await outcomeOf(waiting)).toBe('nothing yet');
    time.pass(1);
    expect(await outcomeOf(waiting)).toBeInstanceOf(DeadlineError);
  }
});

it('returns the result of the store in time, or its error', async () => {
  const { scheduler } = simulatedTime();
  expect(await outcomeOf(withinStoreDeadline(Promise.resolve('said'), scheduler))).toBe('said');
  const fault = new Error('store down');
  expect(await outcomeOf(withinStoreDeadline(Promise.reject(fault), scheduler))).toBe(fault);
});

it('uses the stale fallback after the wait, as long as there is one', async () => {
  const time = simulatedTime();
  const options = { scheduler: time.scheduler, fallbackAfterMs: 100, staleFallback: () => 'stale' };
  const waiting = orStaleFallback(NEVER, options);
  time.pass(99);
  expect(await outcomeOf(waiting)).toBe('nothing yet');
  time.pass(1);
  expect(await outcomeOf(waiting)).toBe('stale');
});

it.each([100, 3_000])(
  'falls back once, even if the read ends later (wait of %i ms)',
  async (fallbackAfterMs) => {
    const time = simulatedTime();
    let fail = (_fault: Error) => {};
    const read = new Promise<string>((_resolve, reject) => {
      fail = reject;
    });
    let fallBacks = 0;
    const staleFallback = () => {
      fallBacks += 1;
      return 'stale';
    };
    const waiting = orStaleFallback(read, { scheduler: time.scheduler, fallbackAfterMs, staleFallback });
    time.pass(100);
    time.pass(1_900);
    expect(await outcomeOf(waiting)).toBe('stale');
    fail(new Error('store down'));
    time.pass(2_000);
    expect(await outcomeOf(waiting)).toBe('stale');
    expect(fallBacks).toBe(1);
  },
);
