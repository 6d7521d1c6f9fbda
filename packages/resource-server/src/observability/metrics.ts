import type { Counters } from './counters.js';

/** A value of a metric. */
export interface MetricSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric of a resource server. */
export interface Metric {
  readonly name: string;
  /** What is counted, in which unit. */
  readonly help: string;
  readonly kind: 'counter' | 'gauge';
  /** Reads the present values, for a callback of an observable instrument of OpenTelemetry, or for another library. */
  read(): readonly MetricSample[];
}

/** The metrics of a resource server. */
export interface ResourceServerMetrics {
  readonly all: readonly Metric[];
  /** All metrics in the text format of Prometheus (`text/plain; version=0.0.4`). */
  prometheus(): string;
}

/** What the metrics read. */
export interface MetricSources {
  readonly counters: Counters;
  readonly cache: { readonly size: number; readonly bytes: number };
  /** The stream of changes; `undefined` if it is not followed. */
  readonly changes: ChangesState | undefined;
}

/** State of the stream of changes. */
export interface ChangesState {
  isConnected(): boolean;
  connections(): number;
  discards(): number;
  /** Age of the watermark in milliseconds; `Infinity` before the first event. */
  watermarkAgeMs(): number;
}

/** Creates the metrics. */
export function resourceServerMetrics(sources: MetricSources): ResourceServerMetrics {
  const all = [...requestMetrics(sources), ...(sources.changes ? changeMetrics(sources.changes) : [])];
  return { all, prometheus: () => all.map(prometheusText).join('') };
}

function requestMetrics({ counters, cache }: MetricSources): readonly Metric[] {
  return [
    {
      name: 'resource_server_requests_total',
      help: 'Verified requests, by outcome.',
      kind: 'counter',
      read: () => byOutcome({ accepted: counters.accepted, ...counters.refused }),
    },
    {
      name: 'resource_server_cache_hits_total',
      help: 'Requests whose token was cached, so that it was not introspected.',
      kind: 'counter',
      read: () => single(counters.cacheHits),
    },
    {
      name: 'resource_server_fallbacks_total',
      help: 'Introspection failures after which a cached token was used.',
      kind: 'counter',
      read: () => single(counters.fallbacks),
    },
    {
      name: 'resource_server_introspections_total',
      help: 'Introspection requests, by outcome.',
      kind: 'counter',
      read: () =>
        byOutcome({
          active: counters.introspectionsActive,
          inactive: counters.introspectionsInactive,
          ...counters.introspectionFailures,
        }),
    },
    {
      name: 'resource_server_cache_tokens',
      help: 'Cached tokens.',
      kind: 'gauge',
      read: () => single(cache.size),
    },
    {
      name: 'resource_server_cache_bytes',
      help: 'Bytes held by cached tokens (estimate).',
      kind: 'gauge',
      read: () => single(cache.bytes),
    },
  ];
}

function changeMetrics(changes: ChangesState): readonly Metric[] {
  return [
    {
      name: 'resource_server_changes_connected',
      help: 'Whether the stream of changes is open: 1 or 0.',
      kind: 'gauge',
      read: () => single(Number(changes.isConnected())),
    },
    {
      name: 'resource_server_changes_connections_total',
      help: 'Attempts to open the stream of changes.',
      kind: 'counter',
      read: () => single(changes.connections()),
    },
    {
      name: 'resource_server_changes_discards_total',
      help: 'How often all cached tokens were discarded.',
      kind: 'counter',
      read: () => single(changes.discards()),
    },
    {
      name: 'resource_server_changes_watermark_age_seconds',
      help: 'Age of the watermark of the stream of changes in seconds. From 1 on, each token is introspected.',
      kind: 'gauge',
      read: () => single(changes.watermarkAgeMs() / 1_000),
    },
  ];
}

function single(value: number): readonly MetricSample[] {
  return [{ labels: {}, value }];
}

function byOutcome(counts: Readonly<Record<string, number>>): readonly MetricSample[] {
  return Object.entries(counts).map(([outcome, value]) => ({ labels: { outcome }, value }));
}

/** Names and label values are constants without characters that need an escape. */
function prometheusText({ name, help, kind, read }: Metric): string {
  const samples = read().map(({ labels, value }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
    return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${prometheusNumber(value)}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${samples.join('')}`;
}

function prometheusNumber(value: number): string {
  return value === Number.POSITIVE_INFINITY ? '+Inf' : String(value);
}
