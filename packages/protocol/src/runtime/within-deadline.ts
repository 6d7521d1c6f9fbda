import type { Scheduler } from './scheduler.js';

/** How long to wait for work. */
export interface Deadline {
  readonly scheduler: Pick<Scheduler, 'after'>;
  readonly limitMs: number;
}

/** Thrown when there was no response in time. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/**
 * Settles like `work`, or rejects with `late()` at the deadline, whichever comes first. The work is not cancelled.
 */
export function withinDeadline<Result>(
  work: Promise<Result>,
  { scheduler, limitMs }: Deadline,
  late: () => Error,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const cancel = scheduler.after(limitMs, () => reject(late()));
    work.then(
      (result) => {
        cancel();
        resolve(result);
      },
      (error: unknown) => {
        cancel();
        reject(error);
      },
    );
  });
}
