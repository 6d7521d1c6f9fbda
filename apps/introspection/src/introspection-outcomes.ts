import { readCounter } from '@vestibule/http/observability';
import type { InactiveReason, TokenDecision } from '@vestibule/tokens/introspection';
import type { Registry } from 'prom-client';

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
