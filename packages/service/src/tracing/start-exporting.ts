import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { RequestTracer } from '@vestibule/http/observability';
import { Counter, type Registry } from 'prom-client';
import type { Dependency } from '../process/readiness.js';
import { otelTracer } from './otel-tracer.js';
import { parseOtlpHeaders, type TraceSettings } from './trace-settings.js';

/** Tracing of a process, and its dependency for the shutdown. */
export interface Tracing {
  readonly tracer: RequestTracer;
  /** Closing it flushes the remaining spans; close it last. */
  readonly dependency: Dependency;
}

/** Options of {@link startExporting}. */
export interface ExportOptions {
  readonly endpoint: string;
  readonly serviceName: string;
  readonly settings: Partial<TraceSettings>;
  readonly registry: Registry;
}

/** Export interval in milliseconds. Spans that exceed the export rate are dropped. */
const SEND_INTERVAL_MS = 1_000;
const EXPORT_TIMEOUT_MS = 5_000;
/** How long the shutdown waits for the last export. */
const CLOSE_LIMIT_MS = 1_000;

/** Starts exporting traces in the background. Requests are not affected if exports fail. */
export function startExporting({ endpoint, serviceName, settings, registry }: ExportOptions): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: parseOtlpHeaders(settings.OTEL_EXPORTER_OTLP_HEADERS?.reveal() ?? '') ?? {},
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    sampler: samplerOf(settings),
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.name': serviceName, 'service.instance.id': randomUUID() }),
    ),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: counted(exporter, registry),
        scheduledDelayMillis: SEND_INTERVAL_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  const close = async () => {
    const limit = new AbortController();
    const sent = provider.shutdown().catch(() => undefined);
    await Promise.race([
      sent,
      delay(CLOSE_LIMIT_MS, undefined, { signal: limit.signal }).catch(() => undefined),
    ]);
    limit.abort();
  };
  return { tracer: otelTracer(provider.getTracer('vestibule')), dependency: { name: 'traces', close } };
}

function samplerOf({
  OTEL_TRACES_SAMPLER: name = 'parentbased_traceidratio',
  OTEL_TRACES_SAMPLER_ARG: ratio = 1,
}: Partial<TraceSettings>): Sampler {
  const root = rootSampler(name.replace('parentbased_', ''), ratio);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'always_on' ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(ratio);
}

/** Counts exports by outcome, so that lost traces are noticed. */
function counted(exporter: SpanExporter, registry: Registry): SpanExporter {
  const batches = new Counter({
    name: 'trace_exports_total',
    help: 'Batches of trace spans by export outcome: `sent` or `failed`.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  for (const outcome of ['sent', 'failed']) batches.inc({ outcome }, 0);
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        batches.inc({ outcome: result.error === undefined && result.code === 0 ? 'sent' : 'failed' });
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
