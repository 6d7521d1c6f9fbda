/** A measurement that has begun. */
export interface RunningTime {
  /** Ends the measurement, and returns its milliseconds. */
  end(): number;
}

const STEP_MS = 5;
/** What a longer step without work counts as: timers of a busy event loop are late by a few milliseconds. */
const LONGEST_STEP_MS = 25;

/**
 * Measures from now on the time during which this process waited or worked. A stall, as on a machine with too much other
 * work, counts as one step: limits that the process keeps by itself can be tested on any machine. CPU time of the process
 * always counts, so that work that blocks its event loop exceeds a limit.
 */
export function runningTime(): RunningTime {
  let [ranMs, lastMs, lastCpuMs] = [0, performance.now(), cpuMs()];
  const step = () => {
    const [nowMs, nowCpuMs] = [performance.now(), cpuMs()];
    ranMs += Math.min(nowMs - lastMs, Math.max(LONGEST_STEP_MS, nowCpuMs - lastCpuMs));
    [lastMs, lastCpuMs] = [nowMs, nowCpuMs];
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

/** CPU time of all threads of this process so far. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
