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
