import { expect, it } from 'vitest';
import { coalescedRuns } from './coalesced-runs.js';

/** A task whose runs end when the test says so, and the numbers of the started runs. */
function createControlledTask() {
  const ends: ((outcome: () => number) => void)[] = [];
  const runs = coalescedRuns(
    () =>
      new Promise<number>((resolve, reject) => {
        ends.push((outcome) => {
          try {
            resolve(outcome());
          } catch (error) {
            reject(error);
          }
        });
      }),
  );
  return { runs, ends };
}

it('gives each caller a run that started after its call, and the same run to all that wait for one', async () => {
  const { runs, ends } = createControlledTask();
  expect(runs.current).toBeUndefined();
  const first = runs.next();
  expect(runs.current).toBe(first);
  const [second, third] = [runs.next(), runs.next()];
  expect([second === first, second === third, ends.length]).toEqual([false, true, 1]);
  ends[0]?.(() => 1);
  expect(await first).toBe(1);
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.(() => 2);
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  expect(runs.current).toBeUndefined();
});

it('has one run at a time, whenever the next one is requested', async () => {
  let [underWay, most] = [0, 0];
  const runs = coalescedRuns(async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    for (let turns = 0; turns < 20; turns += 1) await null;
    underWay -= 1;
  });
  const pending = [runs.next(), runs.next()];
  for (let turns = 0; turns < 100; turns += 1) {
    await null;
    pending.push(runs.next());
  }
  await Promise.all(pending);
  expect(most).toBe(1);
});

it('continues after a run that failed', async () => {
  const { runs, ends } = createControlledTask();
  const first = runs.next();
  const second = runs.next();
  ends[0]?.(() => {
    throw new Error('failed');
  });
  await expect(first).rejects.toThrow('failed');
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.(() => 2);
  expect(await second).toBe(2);
});
