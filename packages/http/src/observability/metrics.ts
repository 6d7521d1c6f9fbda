import { collectDefaultMetrics, Registry } from 'prom-client';
import { createHttpMetrics, type HttpMetrics } from './http-metrics.js';

/** Metrics of a process. */
export interface Metrics {
  /** Registry for metrics other than those of requests. */
  readonly registry: Registry;
  readonly http: HttpMetrics;
}

/** Creates the metrics of this process: Node.js and HTTP metrics, all labelled with the service. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return { registry, http: createHttpMetrics(registry) };
}

/**
 * Creates metrics on the first call for a registry, and returns the same ones later, because several services of a
 * process may use the same metrics.
 */
export function oncePerRegistry<Metrics>(
  make: (registry: Registry) => Metrics,
): (registry: Registry) => Metrics {
  const made = new WeakMap<Registry, Metrics>();
  return (registry) => {
    const metrics = made.get(registry) ?? make(registry);
    made.set(registry, metrics);
    return metrics;
  };
}
