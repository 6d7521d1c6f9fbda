import { readCounter, readGauge } from '@vestibule/service-kit';
import type { TokenCache, TokenCacheCounters } from '@vestibule/tokens';
import type { Registry } from 'prom-client';

/** What the metrics are read from. */
export interface CacheMetricsSource {
  readonly states: Pick<TokenCache, 'counters' | 'memory'>;
  /** How old the proof is that no invalidation event is missing. */
  readonly watermarkAgeMs: () => number;
}

/** Where the responses to requests about tokens came from. */
const SOURCES: Readonly<Record<string, keyof TokenCacheCounters>> = {
  memory: 'memoryHits',
  shared: 'sharedHits',
  store: 'storeReads',
  joined: 'joined',
  stale_fallback: 'staleFallbacks',
  fault: 'faults',
};

/** Counters whose name says all. */
const COUNTERS: readonly (readonly [name: string, help: string, member: keyof TokenCacheCounters])[] = [
  ['token_state_queries_total', 'Queries that reads of the store were bundled in.', 'storeQueries'],
  ['invalidation_events_total', 'Announcements that were heard.', 'invalidations'],
  ['invalidation_stream_gaps_total', 'How often everything remembered lost its proof.', 'interruptions'],
];

/** Registers what a cache counts; the numbers are read when someone asks for them. */
export function registerCacheMetrics(
  registry: Registry,
  { states, watermarkAgeMs }: CacheMetricsSource,
): void {
  const { counters, memory } = states;
  readCounter(registry, {
    name: 'token_state_reads_total',
    help: 'Questions about tokens by where the response came from: `memory`, `shared` (Redis), `store`, `joined` (the response to another caller), `stale_fallback` (while Postgres does not answer), `fault`.',
    labels: ['source'],
    read: () => Object.entries(SOURCES).map(([source, member]) => [{ source }, counters[member]] as const),
  });
  for (const [name, help, member] of COUNTERS)
    readCounter(registry, { name, help, read: () => [[{}, counters[member]]] });
  readGauge(registry, {
    name: 'token_cache_entries',
    help: 'Tokens that this process remembers.',
    read: () => [[{}, memory.size]],
  });
  readGauge(registry, {
    name: 'token_cache_bytes',
    help: 'About how many bytes they take.',
    read: () => [[{}, memory.bytes]],
  });
  readGauge(registry, {
    name: 'invalidation_watermark_age_seconds',
    help: 'How long ago no announcement was missing; +Inf when that is not known. Above 1 memory is not used.',
    read: () => [[{}, watermarkAgeMs() / 1000]],
  });
}
