import type { TokenEvent } from '@vestibule/tokens/testing';
import type { Staleness } from '../judge/staleness.js';
import type { Violations } from '../judge/verdict.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';

/** How much time a run may take. */
export interface Effort {
  /** The longest that something fails, in seconds. */
  readonly maxSeconds: number;
}

/** One thing that goes wrong, and what is looked at meanwhile. */
export interface Trial {
  readonly id: string;
  readonly title: string;
  run(testEnvironment: TestEnvironment, effort: Effort): Promise<TrialResult>;
}

/** What was seen. */
export interface TrialResult {
  /** Questions to the instances. */
  readonly requests: number;
  /** Those that were answered by nobody, or with a fault, also on a second try. */
  readonly failures: number;
  readonly slowestMs: number;
  /** Absent where nothing was revoked. */
  readonly staleness?: Staleness;
  readonly violations: Violations;
  /** From the end of the fault until every instance answers from its stores again. */
  readonly recoveryMs?: number;
  /** Figures of this trial alone. */
  readonly remarks: readonly string[];
  /** What was done to the tokens about which a promise was broken. */
  readonly evidence: readonly TokenEvent[];
  /** Pass lines that were missed; none when the trial is passed. */
  readonly problems: readonly string[];
}

/** Everything as long as it is meant to last. */
export const FULL: Effort = { maxSeconds: Number.POSITIVE_INFINITY };

/** Everything for a few seconds. */
export const QUICK: Effort = { maxSeconds: 4 };

/** The result of a trial that could not be run to its end. */
export function abortedResult(problem: string): TrialResult {
  return {
    requests: 0,
    failures: 0,
    slowestMs: 0,
    violations: { stale: 0, resurrected: 0, falselyInactive: 0, claimedTwice: 0, lost: 0 },
    remarks: [],
    evidence: [],
    problems: [`not run to its end: ${problem}`],
  };
}
