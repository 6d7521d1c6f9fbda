import type { Scheduler } from '@vestibule/protocol/runtime';

/** Limits of parallel deliveries. */
export interface WorkerSlotLimits {
  /** Parallel deliveries, not counting those that wait for slow clients. */
  readonly concurrency: number;
  /** Maximum number of deliveries that wait for slow clients. */
  readonly slow: number;
}

/** The slots of one worker. */
export interface WorkerSlots {
  /** Number of further deliveries that may start. */
  free(): number;
  /**
   * Takes a slot for a delivery that starts.
   * @param onSlow called when it turns out to be slow
   * @returns a function that frees the slot, to be called once
   */
  take(onSlow: () => void): () => void;
}

/** An attempt that takes longer counts as slow and makes room for another one. */
const SLOW_AFTER_MS = 1_000;

/**
 * Creates the slots of a worker. A delivery that turns out to be slow swaps its slot for one of those reserved for slow
 * deliveries.
 */
export function workerSlots(
  { concurrency, slow }: WorkerSlotLimits,
  scheduler: Pick<Scheduler, 'after'>,
  /** Called when a delivery has become slow, so that another one may start, even if only at its host. */
  onFree: () => void,
): WorkerSlots {
  let free = concurrency;
  let slowFree = slow;
  return {
    free: () => free,
    take: (onSlow) => {
      let isSlow = false;
      free -= 1;
      const cancel = scheduler.after(SLOW_AFTER_MS, () => {
        onSlow();
        if (slowFree > 0) {
          isSlow = true;
          slowFree -= 1;
          free += 1;
        }
        onFree();
      });
      return () => {
        cancel();
        if (isSlow) slowFree += 1;
        else free += 1;
      };
    },
  };
}
