import { evaluateHistory, type TokenEvent, type Violation } from '@vestibule/tokens/testing';
import { API_NODE } from '../test-environment/api.js';
import { type Staleness, stalenessOf } from './staleness.js';

/** The number of violations of each guarantee. */
export interface Violations {
  /** Active too long after a revocation or an expiry. */
  readonly stale: number;
  /** Active again after inactive. */
  readonly resurrected: number;
  /** A live token was inactive. */
  readonly falselyInactive: number;
  /** Used up more than once. */
  readonly claimedTwice: number;
  /** Acknowledged and missing at the end. */
  readonly lost: number;
}

/** The evaluation of a history. */
export interface Verdict {
  readonly violations: Violations;
  /** Absent when no revocation was acknowledged. */
  readonly staleness?: Staleness;
  /** The events of tokens that violated a guarantee. */
  readonly evidence: readonly TokenEvent[];
}

/** How long a token may be active after its expiry. */
const EXPIRY_MS = 1_000;
/** The names of the instances in histories. */
export const NODES: readonly string[] = ['a', 'b'];

/** Evaluates a history. @param lost the number of acknowledged tokens that were missing at the end */
export function verdictOn(events: readonly TokenEvent[], staleMs: number, lost: number): Verdict {
  const found = evaluateHistory(events, { staleMs, expiryMs: EXPIRY_MS });
  const count = (...rules: readonly Violation['rule'][]) =>
    found.filter(({ rule }) => rules.includes(rule)).length;
  const concerned = new Set(found.map(({ token }) => token));
  const staleness = stalenessOf(events, NODES, API_NODE);
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
