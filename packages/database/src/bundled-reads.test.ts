import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { bundledReads } from './bundled-reads.js';

/** Reads whose batches are resolved by the test. */
function handAnswered() {
  const asked: { keys: readonly number[]; response: () => void; fail: (error: Error) => void }[] = [];
  const read = bundledReads<number, string>(
    (keys) =>
      new Promise((resolve, reject) => {
        asked.push({
          keys,
          response: () => resolve(keys.map((key) => `answer ${key}`)),
          fail: reject,
        });
      }),
  );
  return { read, asked };
}

it('combines the reads of one turn, and returns each its own result', async () => {
  const { read, asked } = handAnswered();
  const responses = Promise.all([read(3), read(1), Promise.resolve().then(() => read(3))]);
  await turn();
  expect(asked.map(({ keys }) => keys)).toEqual([[3, 1, 3]]);
  asked[0]?.response();
  expect(await responses).toEqual(['answer 3', 'answer 1', 'answer 3']);
});

it('reads again for later calls, even while an earlier read is pending', async () => {
  const { read, asked } = handAnswered();
  const early = read(1);
  await turn();
  const late = read(1);
  await turn();
  expect(asked.map(({ keys }) => keys)).toEqual([[1], [1]]);
  asked[1]?.response();
  expect(await late).toBe('answer 1');
  asked[0]?.response();
  expect(await early).toBe('answer 1');
});

it('reads at most 64 keys at a time, and loses none', async () => {
  const { read, asked } = handAnswered();
  const responses = Promise.all(Array.from({ length: 150 }, (_, key) => read(key)));
  await turn();
  expect(asked.map(({ keys }) => keys.length)).toEqual([64, 64, 22]);
  for (const { response } of asked) response();
  expect(await responses).toEqual(Array.from({ length: 150 }, (_, key) => `answer ${key}`));
});

it('rejects all reads of a batch that fails, and no other reads', async () => {
  const { read, asked } = handAnswered();
  const failing = [read(1), read(2)];
  await turn();
  const other = read(3);
  await turn();
  asked[0]?.fail(new Error('the database is gone'));
  asked[1]?.response();
  for (const each of await Promise.allSettled(failing))
    expect(each).toEqual({ status: 'rejected', reason: new Error('the database is gone') });
  expect(await other).toBe('answer 3');
});
