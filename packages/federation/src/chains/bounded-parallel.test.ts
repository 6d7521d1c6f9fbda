import { expect, it } from 'vitest';
import { boundedParallel } from './bounded-parallel.js';

it('keeps the order of the items, whichever ends first', async () => {
  const finish = new Map<number, () => void>();
  const results = boundedParallel([1, 2, 3, 4], 4, async (item) => {
    await new Promise<void>((resolve) => finish.set(item, resolve));
    return item * 10;
  });
  for (const item of [3, 1, 4, 2]) {
    finish.get(item)?.();
    await Promise.resolve();
  }
  expect(await results).toEqual([10, 20, 30, 40]);
  expect(await boundedParallel([], 4, async () => 1)).toEqual([]);
});

it('passes on the error of an item', async () => {
  const failing = boundedParallel([1, 2], 1, async (item) => {
    if (item === 2) throw new Error('two');
    return item;
  });
  await expect(failing).rejects.toThrow('two');
});
