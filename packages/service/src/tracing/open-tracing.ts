import type { Registry } from 'prom-client';
import type { Tracing } from './start-exporting.js';
import type { TraceSettings } from './trace-settings.js';

/** Options of {@link openTracing}. */
export interface TracingOptions {
  /** The name of the service. */
  readonly name: string;
  readonly settings: Partial<TraceSettings>;
  readonly registry: Registry;
}

/** Opens tracing as configured; `undefined` without an endpoint. OpenTelemetry is loaded only if there is one. */
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
