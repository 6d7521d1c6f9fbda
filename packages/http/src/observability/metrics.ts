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
  const node = nodeMetrics();
  for (const { name } of node.getMetricsAsArray()) {
    const metric = node.getSingleMetric(name);
    if (metric !== undefined) registry.registerMetric(metric);
  }
  return { registry, http: createHttpMetrics(registry) };
}

/**
 * The Node.js metrics. All registries share them, because each set has observers of the garbage collector and a timer
 * of the event loop that run until the process ends, even if their registry is no longer used. The delays of the event
 * loop (`nodejs_eventloop_lag_*`) are those since the last time that any registry was read.
 */
function nodeMetrics(): Registry {
  if (shared === undefined) {
    shared = new Registry();
    collectDefaultMetrics({ register: shared });
  }
  return shared;
}

let shared: Registry | undefined;

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
