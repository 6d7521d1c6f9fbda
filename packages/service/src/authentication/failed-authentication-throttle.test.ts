import { tokenBuckets } from '@vestibule/protocol/rate-limits';
import { expect, it } from 'vitest';
import { failedAuthenticationThrottle } from './failed-authentication-throttle.js';

const PER_MINUTE = 3;

/** Creates a throttle with simulated time, and records the released responses by name. */
function aThrottle(random: () => number) {
  let nowMs = Date.UTC(2026, 0, 1);
  const planned: { readonly atMs: number; readonly run: () => void }[] = [];
  const throttle = failedAuthenticationThrottle({
    store: tokenBuckets({ clock: { nowMs: () => nowMs } }),
    scheduler: { after: (delayMs, run) => planned.push({ atMs: nowMs + delayMs, run }) },
    perMinute: PER_MINUTE,
    random,
  });
  const released: string[] = [];
  const refuse = (name: string) => throttle.release().then(() => void released.push(name));
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    released,
    refuse: async (...names: string[]) => {
      for (const name of names) void refuse(name);
      await turn();
    },
    pass: async (ms: number) => {
      nowMs += ms;
      for (const { atMs, run } of planned) if (atMs <= nowMs) run();
      await turn();
    },
  };
}

it('sends the configured number of responses per minute without delay, and delays the others by 0.5 to 1.5 seconds', async () => {
  const randoms = [0, 0.5, 0.999];
  const { released, refuse, pass } = aThrottle(() => randoms.shift() ?? 0);
  await refuse('a', 'b', 'c', 'd', 'e', 'f');
  expect(released).toEqual(['a', 'b', 'c']);
  await pass(499);
  expect(released).toEqual(['a', 'b', 'c']);
  await pass(1);
  expect(released).toEqual(['a', 'b', 'c', 'd']);
  await pass(500);
  expect(released).toEqual(['a', 'b', 'c', 'd', 'e']);
  await pass(499);
  expect(released).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

it('sends them without delay again as the minute passes', async () => {
  const { released, refuse, pass } = aThrottle(() => 0.9);
  await refuse('a', 'b', 'c');
  await pass(20_000);
  await refuse('d', 'e');
  expect(released).toEqual(['a', 'b', 'c', 'd']);
});
