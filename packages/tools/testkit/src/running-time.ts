/** A measurement that has begun. */
export interface RunningTime {
  /** Ends the measurement, and returns its milliseconds. */
  end(): number;
}

const STEP_MS = 5;
/** What a longer step counts as: timers of a busy event loop are late by a few milliseconds. */
const LONGEST_STEP_MS = 25;

/**
 * Measures from now on the time during which this process ran. A stall, as on a machine with too much other work, counts
 * as one step: limits that the process keeps by itself can be tested on any machine.
 */
export function runningTime(): RunningTime {
  let [ranMs, lastMs] = [0, performance.now()];
  const step = () => {
    const nowMs = performance.now();
    ranMs += Math.min(nowMs - lastMs, LONGEST_STEP_MS);
    lastMs = nowMs;
  };
  const timer = setInterval(step, STEP_MS).unref();
  return {
    end: () => {
      clearInterval(timer);
      step();
      return ranMs;
    },
  };
}
