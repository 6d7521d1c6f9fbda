/** Schedules tasks; a port, so that tests control time. */
export interface Scheduler {
  /** Runs a task after the work of this turn of the event loop. */
  soon(run: () => void): void;
  /** Runs a task after a delay in milliseconds. Call the returned function to cancel it. */
  after(delayMs: number, run: () => void): () => void;
}

/** Options of batched reads. */
export interface BatchedReadsOptions<Key, Result> {
  /** Reads all keys at once; the results are in the same order. */
  readonly ask: (keys: readonly Key[]) => Promise<readonly Result[]>;
  readonly scheduler: Scheduler;
  /** Largest number of keys in a batch. */
  readonly maxBatch: number;
  /** Largest number of parallel batches. */
  readonly maxParallel: number;
  /** Largest number of reads that wait for a batch. */
  readonly maxWaiting: number;
  /** Deadline of a read in milliseconds, including its wait for a batch. */
  readonly deadlineMs: number;
}

/** Reads that are combined into batches. */
export interface BatchedReads<Key, Result> {
  /**
   * Reads a key. The result is never older than the call.
   * @throws ReadsOverloadedError when too many reads wait; ReadDeadlineError after the deadline; the error of `ask` for
   *   all reads of a batch.
   */
  read(key: Key): Promise<Result>;
}

/** Thrown when too many reads wait for the store. */
export class ReadsOverloadedError extends Error {
  override readonly name = 'ReadsOverloadedError';
}

/** Thrown when the store did not respond in time. */
export class ReadDeadlineError extends Error {
  override readonly name = 'ReadDeadlineError';
}

interface Waiting<Key, Result> {
  readonly key: Key;
  readonly resolve: (response: Result) => void;
  readonly reject: (error: unknown) => void;
  isOver: boolean;
}

/**
 * Combines the reads of one turn into a batch, and limits the number of parallel batches: reads beyond the limit wait
 * for the next batch. Reads whose deadline has passed are left out of it.
 */
export function batchedReads<Key, Result>(
  options: BatchedReadsOptions<Key, Result>,
): BatchedReads<Key, Result> {
  const { ask, scheduler, maxBatch, maxParallel, maxWaiting, deadlineMs } = options;
  let waiting: Waiting<Key, Result>[] = [];
  let underWay = 0;
  let isPlanned = false;

  const plan = () => {
    if (isPlanned || waiting.length === 0 || underWay >= maxParallel) return;
    isPlanned = true;
    scheduler.soon(() => {
      isPlanned = false;
      start();
      plan();
    });
  };
  const start = () => {
    waiting = waiting.filter(({ isOver }) => !isOver);
    const batch = waiting.splice(0, maxBatch);
    if (batch.length === 0) return;
    underWay += 1;
    void settleBatch(ask, batch).then(() => {
      underWay -= 1;
      plan();
    });
  };

  return {
    read: (key) => {
      if (waiting.length >= maxWaiting)
        return Promise.reject(new ReadsOverloadedError('too many reads wait for the store'));
      return new Promise((resolve, reject) => {
        const settle = () => {
          entry.isOver = true;
          callOff();
        };
        const entry: Waiting<Key, Result> = {
          key,
          isOver: false,
          resolve: (response) => {
            settle();
            resolve(response);
          },
          reject: (error) => {
            settle();
            reject(error);
          },
        };
        const callOff = scheduler.after(deadlineMs, () =>
          entry.reject(new ReadDeadlineError('the store did not respond in time')),
        );
        waiting.push(entry);
        plan();
      });
    },
  };
}

/** Reads a batch and settles every entry of it. Never rejects. */
async function settleBatch<Key, Result>(
  ask: (keys: readonly Key[]) => Promise<readonly Result[]>,
  batch: readonly Waiting<Key, Result>[],
): Promise<void> {
  try {
    const responses = await ask(batch.map(({ key }) => key));
    if (responses.length !== batch.length)
      throw new TypeError('the store returned a different number of results');
    batch.forEach((entry, index) => {
      // The lengths are equal, so there is a result for each entry.
      entry.resolve(responses[index] as Result);
    });
  } catch (error) {
    for (const entry of batch) entry.reject(error);
  }
}
