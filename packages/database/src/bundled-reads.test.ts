import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { bundledReads } from './bundled-reads.js';

/** Reads whose bundles are answered by hand. */
function handAnswered() {
  const asked: { questions: readonly number[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const read = bundledReads<number, string>(
    (questions) =>
      new Promise((resolve, reject) => {
        asked.push({
          questions,
          answer: () => resolve(questions.map((question) => `answer ${question}`)),
          fail: reject,
        });
      }),
  );
  return { read, asked };
}

it('asks once for all that is asked in one turn, and gives each its own answer', async () => {
  const { read, asked } = handAnswered();
  const answers = Promise.all([read(3), read(1), Promise.resolve().then(() => read(3))]);
  await turn();
  expect(asked.map(({ questions }) => questions)).toEqual([[3, 1, 3]]);
  asked[0]?.answer();
  expect(await answers).toEqual(['answer 3', 'answer 1', 'answer 3']);
});

it('asks anew for what is asked later, though an earlier answer is still on its way', async () => {
  const { read, asked } = handAnswered();
  const early = read(1);
  await turn();
  const late = read(1);
  await turn();
  expect(asked.map(({ questions }) => questions)).toEqual([[1], [1]]);
  asked[1]?.answer();
  expect(await late).toBe('answer 1');
  asked[0]?.answer();
  expect(await early).toBe('answer 1');
});

it('asks 64 questions at a time at most, and loses none', async () => {
  const { read, asked } = handAnswered();
  const answers = Promise.all(Array.from({ length: 150 }, (_, question) => read(question)));
  await turn();
  expect(asked.map(({ questions }) => questions.length)).toEqual([64, 64, 22]);
  for (const { answer } of asked) answer();
  expect(await answers).toEqual(Array.from({ length: 150 }, (_, question) => `answer ${question}`));
});

it('fails for all of a bundle when asking fails, and for no other', async () => {
  const { read, asked } = handAnswered();
  const failing = [read(1), read(2)];
  await turn();
  const other = read(3);
  await turn();
  asked[0]?.fail(new Error('the database is gone'));
  asked[1]?.answer();
  for (const each of await Promise.allSettled(failing))
    expect(each).toEqual({ status: 'rejected', reason: new Error('the database is gone') });
  expect(await other).toBe('answer 3');
});
