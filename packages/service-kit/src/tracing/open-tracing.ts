import type { Registry } from 'prom-client';
import type { Dependency } from '../readiness.js';
import type { RequestTracer } from './request-tracer.js';
import type { TraceSettings } from './trace-settings.js';

/** The traces of a process, and how its end sees them. */
export interface Tracing {
  readonly tracer: RequestTracer;
  /** Sends what is left. It should be closed last. */
  readonly dependency: Dependency;
}

/** What opening traces takes. */
export interface TracingOptions {
  /** The name of the service. */
  readonly name: string;
  readonly settings: Partial<TraceSettings>;
  readonly registry: Registry;
}

/**
 * Opens traces as the settings say; `undefined` without an endpoint, and then nothing of OpenTelemetry is even loaded.
 */
export async function openTracing({
  name,
  settings,
  registry,
}: TracingOptions): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME = `vestibule-${name}` } = settings;
  if (endpoint === undefined) return undefined;
  const { startExporting } = await import('./start-exporting.js');
  return startExporting({ endpoint, serviceName: OTEL_SERVICE_NAME, settings, registry });
}
