import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type BatchLoaderOptions, batchLoader, OverloadedError } from './batch-loader.js';
import { nodeScheduler } from './node-scheduler.js';
import { DeadlineError } from './within-deadline.js';

/** Reads whose batches are resolved by the test. */
function createControlledLoader(limits: Partial<BatchLoaderOptions<number, string>> = {}) {
  const requested: { keys: readonly number[]; response: () => void; fail: (error: Error) => void }[] = [];
  const read = batchLoader<number, string>({
    scheduler: nodeScheduler,
    maxBatch: 64,
    load: (keys) =>
      new Promise((resolve, reject) => {
        requested.push({
          keys,
          response: () => resolve(keys.map((key) => `response ${key}`)),
          fail: reject,
        });
      }),
    ...limits,
  });
  return { read, requested };
}

it('combines the reads of one turn, and returns each its own result', async () => {
  const { read, requested } = createControlledLoader();
  const responses = Promise.all([read(3), read(1), Promise.resolve().then(() => read(3))]);
  await turn();
  expect(requested.map(({ keys }) => keys)).toEqual([[3, 1, 3]]);
  requested[0]?.response();
  expect(await responses).toEqual(['response 3', 'response 1', 'response 3']);
});

it('reads again for later calls, even while an earlier read is pending', async () => {
  const { read, requested } = createControlledLoader();
  const early = read(1);
  await turn();
  const late = read(1);
  await turn();
  expect(requested.map(({ keys }) => keys)).toEqual([[1], [1]]);
  requested[1]?.response();
  expect(await late).toBe('response 1');
  requested[0]?.response();
  expect(await early).toBe('response 1');
});

it('reads at most 64 keys at a time, and loses none', async () => {
  const { read, requested } = createControlledLoader();
  const responses = Promise.all(Array.from({ length: 150 }, (_, key) => read(key)));
  await turn();
  expect(requested.map(({ keys }) => keys.length)).toEqual([64, 64, 22]);
  for (const { response } of requested) response();
  expect(await responses).toEqual(Array.from({ length: 150 }, (_, key) => `response ${key}`));
});

it('rejects all reads of a batch that fails, and no other reads', async () => {
  const { read, requested } = createControlledLoader();
  const failing = [read(1), read(2)];
  await turn();
  const other = read(3);
  await turn();
  requested[0]?.fail(new Error('the database is gone'));
  requested[1]?.response();
  for (const each of await Promise.allSettled(failing))
    expect(each).toEqual({ status: 'rejected', reason: new Error('the database is gone') });
  expect(await other).toBe('response 3');
});

it('keeps keys waiting while the most batches are under way, and loads them in the next one', async () => {
  const { read, requested } = createControlledLoader({ maxBatch: 2, maxParallel: 2 });
  const responses = Promise.all([1, 2, 3, 4, 5].map(read));
  await turn();
  const later = read(6);
  await turn();
  expect(requested.map(({ keys }) => keys)).toEqual([
    [1, 2],
    [3, 4],
  ]);
  requested[0]?.response();
  await turn();
  await turn();
  expect(requested[2]?.keys).toEqual([5, 6]);
  for (const { response } of requested) response();
  expect((await responses).length).toBe(5);
  expect(await later).toBe('response 6');
});

it('refuses keys beyond the most that may wait', async () => {
  const { read, requested } = createControlledLoader({ maxBatch: 1, maxParallel: 1, maxWaiting: 1 });
  const first = read(1);
  await turn();
  const second = read(2);
  await expect(read(3)).rejects.toBeInstanceOf(OverloadedError);
  requested[0]?.response();
  expect(await first).toBe('response 1');
  await turn();
  await turn();
  requested[1]?.response();
  expect(await second).toBe('response 2');
});

it('rejects a key after its deadline, and leaves it out of later batches', async () => {
  const { read, requested } = createControlledLoader({ maxParallel: 1, deadlineMs: 20 });
  const late = [read(1)];
  await turn();
  late.push(read(2));
  for (const each of late) await expect(each).rejects.toBeInstanceOf(DeadlineError);
  const next = read(3);
  requested[0]?.response();
  await turn();
  await turn();
  expect(requested.map(({ keys }) => keys)).toEqual([[1], [3]]);
  requested[1]?.response();
  expect(await next).toBe('response 3');
});

it('rejects all keys of a batch without a result for each', async () => {
  const { read } = createControlledLoader({ load: async () => [] });
  await expect(read(1)).rejects.toBeInstanceOf(TypeError);
});
