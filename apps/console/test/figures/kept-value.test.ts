import { frozenClock } from '@vestibule/protocol/testing';
import { expect, it } from 'vitest';
import { keptValue } from '../../src/figures/kept-value.js';

/** A value that counts its loads, each of which ends when the test says so. */
function aValue() {
  const clock = frozenClock();
  const loads: { readonly end: () => void; readonly fail: () => void }[] = [];
  const read = keptValue({ freshMs: 10_000, staleMs: 60_000 }, clock, () => {
    const number = loads.length + 1;
    return new Promise<number>((resolve, reject) => {
      loads.push({ end: () => resolve(number), fail: () => reject(new Error('failed')) });
    });
  });
  return { clock, loads, read };
}

it('shares one load among the first readers, and keeps its value while it is fresh', async () => {
  const { clock, loads, read } = aValue();
  const readers = [read(), read()];
  loads[0]?.end();
  expect(await Promise.all(readers)).toEqual([1, 1]);
  clock.advanceSeconds(9);
  expect(await read()).toBe(1);
  expect(loads).toHaveLength(1);
});

it('returns a stale value at once while it loads a new one', async () => {
  const { clock, loads, read } = aValue();
  const first = read();
  loads[0]?.end();
  await first;
  clock.advanceSeconds(10);
  expect(await Promise.all([read(), read()])).toEqual([1, 1]);
  expect(loads).toHaveLength(2);
  loads[1]?.end();
  await expect.poll(read).toBe(2);
});

it('waits for a new value when the old one is too old, or from the future', async () => {
  for (const seconds of [60, -60]) {
    const { clock, loads, read } = aValue();
    const first = read();
    loads[0]?.end();
    await first;
    clock.advanceSeconds(seconds);
    const second = read();
    loads[1]?.end();
    expect(await second).toBe(2);
  }
});

it('keeps no failure: readers who wait see it, others keep the stale value, and the next call tries again', async () => {
  const { clock, loads, read } = aValue();
  const failing = read();
  loads[0]?.fail();
  await expect(failing).rejects.toThrow('failed');
  const first = read();
  loads[1]?.end();
  expect(await first).toBe(2);
  clock.advanceSeconds(10);
  expect(await read()).toBe(2);
  loads[2]?.fail();
  await expect.poll(() => read().then(() => loads.length)).toBe(4);
  expect(await read()).toBe(2);
});
