import { tokenBuckets } from '@vestibule/clients';
import { simulatedTime } from '@vestibule/tokens/testing';
import { expect, it } from 'vitest';
import { refusalBrake } from './refusal-brake.js';

const PER_MINUTE = 3;

/** A brake, and what it has let go, by name. */
function aBrake(random: () => number) {
  const { clock, scheduler, pass } = simulatedTime();
  const brake = refusalBrake({ store: tokenBuckets({ clock }), scheduler, perMinute: PER_MINUTE, random });
  const released: string[] = [];
  const refuse = (name: string) => brake.release().then(() => void released.push(name));
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    released,
    refuse: async (...names: string[]) => {
      for (const name of names) void refuse(name);
      await turn();
    },
    pass: async (ms: number) => {
      pass(ms);
      await turn();
    },
  };
}

it('lets so many refusals in a minute go at once, and holds the others for half a second to one and a half', async () => {
  const randoms = [0, 0.5, 0.999];
  const { released, refuse, pass } = aBrake(() => randoms.shift() ?? 0);
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

it('lets them go at once again as the minute passes', async () => {
  const { released, refuse, pass } = aBrake(() => 0.9);
  await refuse('a', 'b', 'c');
  await pass(20_000);
  await refuse('d', 'e');
  expect(released).toEqual(['a', 'b', 'c', 'd']);
});
