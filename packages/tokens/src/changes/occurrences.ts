import type { Scheduler } from '@vestibule/protocol/runtime';

/** Something that happens again and again, and for which others wait. */
export interface Occurrences {
  count(): number;
  /** Adds one. */
  add(): void;
  /** Resolves when the count differs from `seen`, after the time, or when the signal is aborted. */
  after(seen: number, withinMs: number, signal: AbortSignal): Promise<void>;
}

/** Creates a count of zero. */
export function occurrences(scheduler: Pick<Scheduler, 'after'>): Occurrences {
  const waiting = new Set<() => void>();
  let count = 0;
  return {
    count: () => count,
    add: () => {
      count += 1;
      for (const wake of waiting) wake();
    },
    after: (seen, withinMs, signal) =>
      new Promise((resolve) => {
        const wake = () => {
          cancel();
          waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const cancel = scheduler.after(withinMs, wake);
        waiting.add(wake);
        signal.addEventListener('abort', wake);
        if (signal.aborted || count !== seen) wake();
      }),
  };
}

/** Resolves after a time, or when the signal is aborted. */
export function pause(
  scheduler: Pick<Scheduler, 'after'>,
  delayMs: number,
  signal: AbortSignal,
): Promise<void> {
  return occurrences(scheduler).after(0, delayMs, signal);
}
