import type { Scheduler } from '@vestibule/tokens';

/** The scheduler of the process: soon is when the input that is there now has been read. */
export const nodeScheduler: Scheduler = {
  soon: (run) => {
    setImmediate(run);
  },
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
