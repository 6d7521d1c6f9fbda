import type { Clock } from '@vestibule/protocol';
import type { Scheduler } from '@vestibule/protocol/runtime';

/** Time that passes when the test says so, the same for all processes. */
export interface SimulatedTime {
  readonly clock: Clock;
  readonly monotonic: () => number;
  readonly scheduler: Scheduler;
  /** Lets time pass; scheduled tasks run at the end of it. */
  pass(ms: number): void;
}

const BEGINNING_MS = Date.UTC(2026, 0, 1);

/** Creates a simulated time, starting at its beginning. */
export function simulatedTime(): SimulatedTime {
  let nowMs = 0;
  let planned: { readonly atMs: number; readonly run: () => void }[] = [];
  return {
    clock: { nowMs: () => BEGINNING_MS + nowMs },
    monotonic: () => nowMs,
    scheduler: {
      soon: (run) => queueMicrotask(run),
      after: (delayMs, run) => {
        const plan = { atMs: nowMs + delayMs, run };
        planned.push(plan);
        return () => {
          planned = planned.filter((each) => each !== plan);
        };
      },
    },
    pass: (ms) => {
      nowMs += ms;
      const due = planned.filter(({ atMs }) => atMs <= nowMs);
      planned = planned.filter(({ atMs }) => atMs > nowMs);
      for (const { run } of due) run();
    },
  };
}
