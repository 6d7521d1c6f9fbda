/** When things are done; a port, so that tests decide it. */
export interface Scheduler {
  /** Runs something after what is already under way in this turn. */
  soon(run: () => void): void;
  /** Runs something after a time in milliseconds, unless it is called off. */
  after(delayMs: number, run: () => void): () => void;
}

/** How reads are bundled and bounded. */
export interface BatchedReadsOptions<Key, Result> {
  /** Asks all of them at once; the responses in the same order. */
  readonly ask: (keys: readonly Key[]) => Promise<readonly Result[]>;
  readonly scheduler: Scheduler;
  /** The most requests of one batch. */
  readonly maxBatch: number;
  /** The most batches under way. */
  readonly maxParallel: number;
  /** The most questions that wait for a batch. */
  readonly maxWaiting: number;
  /** How long a response may take, the waiting included, in milliseconds. */
  readonly deadlineMs: number;
}

/** Reads that travel together. */
export interface BatchedReads<Key, Result> {
  /**
   * The response to one question, which is never older than the call.
   * @throws ReadsOverloadedError when too many wait already; ReadDeadlineError when it takes too long; or what asking
   *   rejects with, for all of a batch.
   */
  read(key: Key): Promise<Result>;
}

/** Too many reads wait for the store. */
export class ReadsOverloadedError extends Error {
  override readonly name = 'ReadsOverloadedError';
}

/** The store did not answer in time. */
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
 * Bundles the reads of one moment into one, and keeps the number of those under way within a bound: what comes while
 * all of them are busy waits for the next. Whoever gave up waiting is not asked for any more.
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
    void responseAll(ask, batch).then(() => {
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
          entry.reject(new ReadDeadlineError('the store did not answer in time')),
        );
        waiting.push(entry);
        plan();
      });
    },
  };
}

/** Asks and settles every entry of a batch. Never rejects. */
async function responseAll<Key, Result>(
  ask: (keys: readonly Key[]) => Promise<readonly Result[]>,
  batch: readonly Waiting<Key, Result>[],
): Promise<void> {
  try {
    const responses = await ask(batch.map(({ key }) => key));
    if (responses.length !== batch.length)
      throw new TypeError('the store answered another number of questions');
    batch.forEach((entry, index) => {
      // The lengths are equal: there is a response for each.
      entry.resolve(responses[index] as Result);
    });
  } catch (error) {
    for (const entry of batch) entry.reject(error);
  }
}
