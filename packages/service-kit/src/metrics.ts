import { collectDefaultMetrics, Registry } from 'prom-client';
import { createHttpMetrics, type HttpMetrics } from './http-metrics.js';

/** The numbers of one process. */
export interface Metrics {
  /** Where services register what they count besides requests. */
  readonly registry: Registry;
  readonly http: HttpMetrics;
}

/** The metrics of this process: those of Node itself and those of the requests, every one labelled with the service. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return { registry, http: createHttpMetrics(registry) };
}
