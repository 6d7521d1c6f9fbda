import type { TokenEvent } from '@vestibule/tokens/testing';
import type { Staleness } from '../evaluation/staleness.js';
import type { Violations } from '../evaluation/verdict.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';

/** The permitted duration of a run. */
export interface Effort {
  /** The longest duration of a fault, in seconds. */
  readonly maxSeconds: number;
}

/** A fault or change, and what is checked meanwhile. */
export interface Trial {
  readonly id: string;
  readonly title: string;
  run(testEnvironment: TestEnvironment, effort: Effort): Promise<TrialResult>;
}

/** The result of a trial. */
export interface TrialResult {
  /** Requests to the instances. */
  readonly requests: number;
  /** Requests without a response or with an error, also on a second attempt. */
  readonly failures: number;
  readonly slowestMs: number;
  /** Absent when nothing was revoked. */
  readonly staleness?: Staleness;
  readonly violations: Violations;
  /** From the end of the fault until every instance responds from its stores again. */
  readonly recoveryMs?: number;
  /** Figures of this trial only. */
  readonly remarks: readonly string[];
  /** The events of tokens that violated a guarantee. */
  readonly evidence: readonly TokenEvent[];
  /** Missed limits; none when the trial has passed. */
  readonly problems: readonly string[];
}

/** Full durations. */
export const FULL: Effort = { maxSeconds: Number.POSITIVE_INFINITY };

/** A few seconds for each fault. */
export const QUICK: Effort = { maxSeconds: 4 };

/** The result of an aborted trial. */
export function abortedResult(problem: string): TrialResult {
  return {
    requests: 0,
    failures: 0,
    slowestMs: 0,
    violations: { stale: 0, resurrected: 0, falselyInactive: 0, claimedTwice: 0, lost: 0 },
    remarks: [],
    evidence: [],
    problems: [`aborted: ${problem}`],
  };
}
