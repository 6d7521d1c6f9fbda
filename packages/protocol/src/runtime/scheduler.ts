/** Schedules tasks; a port, so that tests control time. */
export interface Scheduler {
  /** Runs a task after the work of this turn of the event loop. */
  soon(run: () => void): void;
  /** Runs a task after a delay in milliseconds. Call the returned function to cancel it. */
  after(delayMs: number, run: () => void): () => void;
}

/** A clock that never jumps, in milliseconds since an arbitrary time; a port, so that tests control time. */
export type MonotonicClock = () => number;
