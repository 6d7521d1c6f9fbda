import type { ClientId } from '@vestibule/protocol';
import { Counter, type Registry } from 'prom-client';

/** How many callers have a label of their own; those that come later share one. */
const MAX_CALLERS = 100;

/** Counts, by caller, requests about live tokens for another audience. */
export function foreignAudienceCounter(registry: Registry): (caller: ClientId) => void {
  const named = new Set<string>();
  const counter = new Counter({
    name: 'introspection_foreign_audience_total',
    help: 'Questions about live tokens that are for another audience than the caller. A hundred callers have a label of their own, the rest are `other`.',
    labelNames: ['caller'] as const,
    registers: [registry],
  });
  counter.inc({ caller: 'other' }, 0);
  return (caller) => {
    if (named.size < MAX_CALLERS) named.add(caller);
    counter.inc({ caller: named.has(caller) ? caller : 'other' });
  };
}
