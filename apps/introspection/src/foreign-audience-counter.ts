import type { ClientId } from '@vestibule/protocol';
import { Counter, type Registry } from 'prom-client';

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
