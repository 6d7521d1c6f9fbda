import type { Scheduler } from './scheduler.js';
import { DeadlineError } from './within-deadline.js';

/** Options of a batch loader. */
export interface BatchLoaderOptions<Key, Result> {
  /** Loads all keys at once; the results are in the same order. */
  readonly load: (keys: readonly Key[]) => Promise<readonly Result[]>;
  readonly scheduler: Scheduler;
  /** Largest number of keys in a batch. */
  readonly maxBatch: number;
  /** Largest number of parallel batches. Default: no limit. */
  readonly maxParallel?: number;
  /** Largest number of keys that wait for a batch. Default: no limit. */
  readonly maxWaiting?: number;
  /** Deadline of a key in milliseconds, including its wait for a batch. Default: none. */
  readonly deadlineMs?: number;
}

/**
 * Loads a key. The result is never older than the call.
 * @throws OverloadedError when too many keys wait; DeadlineError after the deadline; the error of `load` for all keys
 *   of a batch.
 */
export type BatchLoader<Key, Result> = (key: Key) => Promise<Result>;

/** Thrown when too many keys wait for a batch. */
export class OverloadedError extends Error {
  override readonly name = 'OverloadedError';
}

interface Entry<Key, Result> {
  readonly key: Key;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
  /** Cancels the deadline; absent without one. */
  cancel?: () => void;
  isLate: boolean;
}

/**
 * Combines the keys of one turn of the event loop into batches, because the round trip is most of the cost of a load.
 * Beyond the largest number of parallel batches, keys wait for the next one. Keys whose deadline has passed are left
 * out of it.
 */
export function batchLoader<Key, Result>(options: BatchLoaderOptions<Key, Result>): BatchLoader<Key, Result> {
  const { load, scheduler, maxBatch, deadlineMs } = options;
  const { maxParallel = Number.POSITIVE_INFINITY, maxWaiting = Number.POSITIVE_INFINITY } = options;
  let waiting: Entry<Key, Result>[] = [];
  let underWay = 0;
  let isPlanned = false;

  const plan = () => {
    if (isPlanned || waiting.length === 0 || underWay >= maxParallel) return;
    isPlanned = true;
    scheduler.soon(start);
  };
  const start = () => {
    isPlanned = false;
    waiting = waiting.filter(({ isLate }) => !isLate);
    while (waiting.length > 0 && underWay < maxParallel) {
      underWay += 1;
      void settleBatch(load, waiting.splice(0, maxBatch)).then(end);
    }
  };
  const end = () => {
    underWay -= 1;
    plan();
  };

  return (key) => {
    if (waiting.length >= maxWaiting)
      return Promise.reject(new OverloadedError('too many reads wait for the store'));
    return new Promise((resolve, reject) => {
      const entry: Entry<Key, Result> = { key, resolve, reject, isLate: false };
      if (deadlineMs !== undefined)
        entry.cancel = scheduler.after(deadlineMs, () => {
          entry.isLate = true;
          reject(new DeadlineError('the store did not respond in time'));
        });
      waiting.push(entry);
      plan();
    });
  };
}

/** Loads a batch and settles every entry of it. Never rejects. */
async function settleBatch<Key, Result>(
  load: (keys: readonly Key[]) => Promise<readonly Result[]>,
  batch: readonly Entry<Key, Result>[],
): Promise<void> {
  try {
    const results = await load(batch.map(({ key }) => key));
    if (results.length !== batch.length)
      throw new TypeError('the store returned a different number of results');
    batch.forEach(({ cancel, resolve }, index) => {
      cancel?.();
      // The lengths are equal, so there is a result for each entry.
      resolve(results[index] as Result);
    });
  } catch (error) {
    for (const { cancel, reject } of batch) {
      cancel?.();
      reject(error);
    }
  }
}
