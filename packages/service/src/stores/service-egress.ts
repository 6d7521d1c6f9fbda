import { createEgress, type Egress, type EgressOptions, tracedEgress } from '@vestibule/egress';
import type { Metrics } from '@vestibule/http/observability';
import { systemClock, type Tracer } from '@vestibule/protocol';
import { egressMetrics } from '../metrics/egress-metrics.js';

/** Options of {@link createServiceEgress}. */
export interface ServiceEgressOptions extends Omit<EgressOptions, 'clock' | 'onOutcome' | 'allowHosts'> {
  readonly settings: { readonly EGRESS_ALLOW_HOSTS: readonly string[] };
  readonly metrics: Pick<Metrics, 'registry'>;
  readonly tracer: Tracer | undefined;
}

/** Creates an outbound HTTP client with its own budget, metrics and (if enabled) tracing. */
export function createServiceEgress({
  settings: { EGRESS_ALLOW_HOSTS: allowHosts },
  metrics: { registry },
  tracer,
  ...limits
}: ServiceEgressOptions): Egress {
  const onOutcome = egressMetrics(registry);
  const egress = createEgress({ ...limits, allowHosts, clock: systemClock, onOutcome });
  return tracer === undefined ? egress : tracedEgress(egress, tracer);
}
