import { readCounter, readGauge } from '@vestibule/http/observability';
import type { TokenCache, TokenCacheCounters } from '@vestibule/tokens/cache';
import type { Registry } from 'prom-client';

/** The cache whose counters become metrics. */
export interface CacheMetricsSource {
  readonly states: Pick<TokenCache, 'counters' | 'memory'>;
  /** Age of the watermark of the invalidation stream. */
  readonly watermarkAgeMs: () => number;
}

/** The values of the label `source`, and the counter of each. */
const SOURCES: Readonly<Record<string, keyof TokenCacheCounters>> = {
  memory: 'memoryHits',
  shared: 'sharedHits',
  store: 'storeReads',
  joined: 'joined',
  stale_fallback: 'staleFallbacks',
  fault: 'faults',
};

/** Counters without labels. */
const COUNTERS: readonly (readonly [name: string, help: string, member: keyof TokenCacheCounters])[] = [
  [
    'token_state_queries_total',
    'Queries to Postgres for token states; one query serves several reads.',
    'storeQueries',
  ],
  ['invalidation_events_total', 'Invalidation events received.', 'invalidations'],
  [
    'invalidation_stream_gaps_total',
    'Gaps in the invalidation stream; each one disables the in-process cache until it catches up.',
    'interruptions',
  ],
];

/** Registers the metrics of a token cache. The values are read at each scrape. */
export function registerCacheMetrics(
  registry: Registry,
  { states, watermarkAgeMs }: CacheMetricsSource,
): void {
  const { counters, memory } = states;
  readCounter(registry, {
    name: 'token_state_reads_total',
    help: 'Token state lookups by source: `memory` (this process), `shared` (Redis), `store` (Postgres), `joined` (another lookup of the same token under way), `stale_fallback` (while Postgres does not respond), `fault`.',
    labels: ['source'],
    read: () => Object.entries(SOURCES).map(([source, member]) => [{ source }, counters[member]] as const),
  });
  for (const [name, help, member] of COUNTERS)
    readCounter(registry, { name, help, read: () => [[{}, counters[member]]] });
  readGauge(registry, {
    name: 'token_cache_entries',
    help: 'Tokens held by the in-process token cache.',
    read: () => [[{}, memory.size]],
  });
  readGauge(registry, {
    name: 'token_cache_bytes',
    help: 'Bytes held by the in-process token cache (estimate).',
    read: () => [[{}, memory.bytes]],
  });
  readGauge(registry, {
    name: 'invalidation_watermark_age_seconds',
    help: 'Age of the watermark of the invalidation stream in seconds; +Inf without a watermark. Above 1 the in-process cache is not used.',
    read: () => [[{}, watermarkAgeMs() / 1000]],
  });
}
