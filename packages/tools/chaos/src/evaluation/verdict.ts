import { evaluateHistory, type TokenEvent, type Violation } from '@vestibule/tokens/testing';
import { API_NODE, REFERENCE_NODE } from '../test-environment/api.js';
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
  const times = acknowledgedAt(events);
  const found = evaluateHistory(events, { staleMs, expiryMs: EXPIRY_MS }).filter(
    ({ rule, token, event }) =>
      rule !== 'resurrected' || !isLearning(event, times.get(token) ?? Number.POSITIVE_INFINITY, staleMs),
  );
  const count = (...rules: readonly Violation['rule'][]) =>
    found.filter(({ rule }) => rules.includes(rule)).length;
  const concerned = new Set(found.map(({ token }) => token));
  const staleness = stalenessOf(events, NODES, { api: API_NODE, reference: REFERENCE_NODE });
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

/**
 * Whether an API was told of a revoked token while the instances may still disagree. It asks them in turn about tokens that it
 * does not hold, so that until then the response of one may follow that of another that knows more.
 */
function isLearning(event: TokenEvent, acknowledgedAtMs: number, staleMs: number): boolean {
  if (event.kind !== 'introspected' || NODES.includes(event.node)) return false;
  return event.begunAtMs - acknowledgedAtMs <= staleMs;
}

/** When the first revocation or use of each token was acknowledged. */
function acknowledgedAt(events: readonly TokenEvent[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const event of events) {
    const isUse = event.kind === 'introspected' && event.claims === true && event.response === 'active';
    if (event.kind !== 'revoked' && !isUse) continue;
    times.set(event.token, Math.min(event.doneAtMs, times.get(event.token) ?? Number.POSITIVE_INFINITY));
  }
  return times;
}
