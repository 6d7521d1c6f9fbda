import type { Clock } from '@vestibule/protocol';
import { recentEntries } from './recent-entries.js';

/** How often something may fail: so many times at once, and as many again evenly over a minute. */
export interface FailureBudget {
  /** Milliseconds until another failure fits in; 0 when one does. */
  waitMs(subject: string): number;
  /** Counts a failure. */
  spend(subject: string): void;
}

/** What a budget is made of. */
export interface FailureBudgetOptions {
  readonly clock: Clock;
  readonly perMinute: number;
  /** How many subjects are remembered; whoever failed longest ago gives way, and has failed never. */
  readonly maxSubjects: number;
}

const MINUTE_MS = 60_000;

/** A budget for each subject, in bounded memory: the time by which all that failed has come back, and nothing else. */
export function failureBudget({ clock, perMinute, maxSubjects }: FailureBudgetOptions): FailureBudget {
  const eachMs = MINUTE_MS / perMinute;
  const freeAtMs = recentEntries<number>(maxSubjects);
  const owedMs = (subject: string) => {
    const owed = (freeAtMs.get(subject) ?? 0) - clock.nowMs();
    // More than a minute only where the clock was set back.
    return owed < 0 || owed > MINUTE_MS ? 0 : owed;
  };
  return {
    waitMs: (subject) => Math.max(0, Math.floor(owedMs(subject) + eachMs - MINUTE_MS)),
    spend: (subject) => {
      freeAtMs.set(subject, clock.nowMs() + Math.min(owedMs(subject) + eachMs, MINUTE_MS));
    },
  };
}
