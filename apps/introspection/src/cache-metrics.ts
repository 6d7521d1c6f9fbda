import type { RedisConnection } from '@vestibule/cache';
import type { TokenCache, TokenCacheCounters } from '@vestibule/tokens';
import { Counter, Gauge, type Registry } from 'prom-client';

/** What the metrics are read from. */
export interface CacheMetricsSource {
  readonly states: Pick<TokenCache, 'counters' | 'memory'>;
  /** How old the proof is that no announcement is missing. */
  readonly proofAgeMs: () => number;
  /** Redis, where there is one. */
  readonly redis?: Pick<RedisConnection, 'isBreakerOpen'> | undefined;
}

/** Where the answers to questions about tokens came from. */
const SOURCES: Readonly<Record<string, keyof TokenCacheCounters>> = {
  memory: 'memoryHits',
  shared: 'sharedHits',
  store: 'storeReads',
  joined: 'joined',
  last_resort: 'lastResorts',
  fault: 'faults',
};

/** Counters whose name says all. */
const COUNTERS: readonly (readonly [name: string, help: string, member: keyof TokenCacheCounters])[] = [
  ['token_state_queries_total', 'Queries that reads of the store were bundled in.', 'storeQueries'],
  ['revocation_announcements_total', 'Announcements that were heard.', 'announcements'],
  ['revocation_feed_interruptions_total', 'How often everything remembered lost its proof.', 'interruptions'],
];

/** Registers what a cache counts; the numbers are read when somebody asks for them. */
export function registerCacheMetrics(
  registry: Registry,
  { states, proofAgeMs, redis }: CacheMetricsSource,
): void {
  new Counter({
    name: 'token_state_reads_total',
    help: 'Questions about tokens by where the answer came from.',
    labelNames: ['source'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const [source, member] of Object.entries(SOURCES)) this.inc({ source }, states.counters[member]);
    },
  });
  for (const [name, help, member] of COUNTERS) {
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(states.counters[member]);
      },
    });
  }
  registerGauge(
    registry,
    ['token_memory_entries', 'Tokens that this process remembers.'],
    () => states.memory.size,
  );
  registerGauge(
    registry,
    ['token_memory_bytes', 'About how many bytes they take.'],
    () => states.memory.bytes,
  );
  registerGauge(
    registry,
    [
      'revocation_proof_age_seconds',
      'How long ago no announcement was missing; +Inf when that is not known.',
    ],
    () => proofAgeMs() / 1000,
  );
  if (redis !== undefined)
    registerGauge(registry, ['redis_breaker_open', 'Whether Redis is passed by, after faults: 1 or 0.'], () =>
      Number(redis.isBreakerOpen),
    );
}

function registerGauge(
  registry: Registry,
  [name, help]: readonly [string, string],
  read: () => number,
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}
