import type { Scheduler } from '@vestibule/tokens';

/** How many deliveries there is room for. */
export interface SlotLimits {
  /** Deliveries at a time, besides those that wait for clients which are slow to answer. */
  readonly concurrency: number;
  /** How many may wait for clients that are slow to answer. */
  readonly slow: number;
}

/** The room of one worker. */
export interface WorkerSlots {
  /** How many more deliveries may begin. */
  free(): number;
  /**
   * Takes a place for a delivery that begins.
   * @param onSlow called when it turns out to be slow
   * @returns what gives the place back, to be called once
   */
  take(onSlow: () => void): () => void;
}

/** An attempt that takes longer makes room for another one: it is someone who does not answer. */
const SLOW_AFTER_MS = 1_000;

/**
 * Keeps the places of a worker: a delivery that turns out to be slow exchanges its own for one of those kept for that.
 */
export function workerSlots(
  { concurrency, slow }: SlotLimits,
  scheduler: Pick<Scheduler, 'after'>,
  /** Called when a delivery has become slow, so that another one may begin, if only at its host. */
  onFree: () => void,
): WorkerSlots {
  let free = concurrency;
  let slowFree = slow;
  return {
    free: () => free,
    take: (onSlow) => {
      let isSlow = false;
      free -= 1;
      const callOff = scheduler.after(SLOW_AFTER_MS, () => {
        onSlow();
        if (slowFree > 0) {
          isSlow = true;
          slowFree -= 1;
          free += 1;
        }
        onFree();
      });
      return () => {
        callOff();
        if (isSlow) slowFree += 1;
        else free += 1;
      };
    },
  };
}
