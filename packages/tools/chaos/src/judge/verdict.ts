import { judgeHistory, type TokenEvent, type Violation } from '@vestibule/tokens/testing';
import { type Staleness, stalenessOf } from './staleness.js';

/** How many times each promise was broken. */
export interface Violations {
  /** Active too late after a revocation or an expiry. */
  readonly stale: number;
  /** Active again after inactive. */
  readonly resurrected: number;
  /** Inactive though alive. */
  readonly falselyInactive: number;
  /** Used up more than once. */
  readonly claimedTwice: number;
  /** Acknowledged and not there in the end. */
  readonly lost: number;
}

/** What a history says. */
export interface Verdict {
  readonly violations: Violations;
  /** Absent when no revocation was acknowledged. */
  readonly staleness?: Staleness;
  /** What was done to the tokens about which a promise was broken. */
  readonly evidence: readonly TokenEvent[];
}

/** How long after its expiry a token may still be active. */
const EXPIRY_MS = 1_000;
/** The names of the instances in histories. */
export const NODES: readonly string[] = ['a', 'b'];

/** Judges a history. @param lost how many acknowledged tokens were not there when everything worked again */
export function verdictOn(events: readonly TokenEvent[], staleMs: number, lost: number): Verdict {
  const found = judgeHistory(events, { staleMs, expiryMs: EXPIRY_MS });
  const count = (...rules: readonly Violation['rule'][]) =>
    found.filter(({ rule }) => rules.includes(rule)).length;
  const concerned = new Set(found.map(({ token }) => token));
  const staleness = stalenessOf(events, NODES);
  return {
    violations: {
      stale: count('stale', 'outlived'),
      resurrected: count('resurrected'),
      falselyInactive: count('falsely inactive'),
      claimedTwice: count('claimed twice'),
      lost,
    },
    ...(staleness && { staleness }),
    evidence: events.filter(({ token }) => concerned.has(token)),
  };
}
