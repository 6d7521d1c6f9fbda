import { readCounter } from '@vestibule/http/observability';
import type { ClientId } from '@vestibule/protocol';
import type { InactiveReason, TokenDecision } from '@vestibule/tokens/introspection';
import { Counter, type Registry } from 'prom-client';

/** Counts introspection decisions. The reason why a token is inactive is for operators only, never for callers. */
export interface IntrospectionOutcomes {
  count(decision: TokenDecision): void;
}

type Outcome = 'active' | InactiveReason;

/** Registers `introspection_outcomes_total`. The values are read at each scrape. */
export function introspectionOutcomes(registry: Registry): IntrospectionOutcomes {
  const tallies: Record<Outcome, number> = {
    active: 0,
    malformed: 0,
    unknown: 0,
    not_ours: 0,
    revoked: 0,
    expired: 0,
    client_expired: 0,
    not_yet_valid: 0,
    foreign_audience: 0,
  };
  readCounter(registry, {
    name: 'introspection_outcomes_total',
    help: 'Introspected tokens by outcome: `active`, or the reason why the token is inactive.',
    labels: ['outcome'],
    read: () => Object.entries(tallies).map(([outcome, count]) => [{ outcome }, count] as const),
  });
  return {
    count: (decision) => {
      tallies[decision.active ? 'active' : decision.reason] += 1;
    },
  };
}

/** Callers with a label value of their own; later ones share `other`. */
const MAX_CALLERS = 100;

/** Registers the counter of introspected tokens whose audience does not include the caller. */
export function foreignAudienceCounter(registry: Registry): (caller: ClientId) => void {
  const named = new Set<string>();
  const counter = new Counter({
    name: 'introspection_foreign_audience_total',
    help: 'Introspected live tokens whose audience does not include the caller, by caller. The first 100 callers have a label value of their own, the rest are `other`.',
    labelNames: ['caller'] as const,
    registers: [registry],
  });
  counter.inc({ caller: 'other' }, 0);
  return (caller) => {
    if (named.size < MAX_CALLERS) named.add(caller);
    counter.inc({ caller: named.has(caller) ? caller : 'other' });
  };
}
