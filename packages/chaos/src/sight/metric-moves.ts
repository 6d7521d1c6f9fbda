import pg from 'pg';
import { httpCaller } from '../load/http.js';
import type { Stage } from '../stage/stage.js';
import { until } from '../until.js';
import type { WATCHED, WatchedServices } from './watched-services.js';

/** Where something fails. */
export interface Scene extends Stage {
  readonly services: WatchedServices;
  /** Ends a session whose client is told at a receiver that does not answer. */
  readonly endUnheardSession: () => Promise<void>;
}

/** The samples of a scrape, by name with labels. */
type Samples = ReadonlyMap<string, number>;

/** Something that fails, and what an operator sees of it. */
export interface MetricMove {
  readonly fault: string;
  readonly watched: (typeof WATCHED)[number];
  /** Begins it, and gives what ends it. */
  begin(scene: Scene): Promise<() => Promise<unknown>>;
  hasMoved(before: Samples, now: Samples): boolean;
}

/** The sum of the samples of a metric whose labels have all those texts. */
function sumOf(samples: Samples, metric: string, ...labels: readonly string[]): number {
  const chosen = [...samples].filter(
    ([name]) => name.startsWith(`${metric}{`) && labels.every((label) => name.includes(label)),
  );
  return chosen.reduce((sum, [, value]) => sum + value, 0);
}

function rises(metric: string, ...labels: readonly string[]): MetricMove['hasMoved'] {
  return (before, now) => sumOf(now, metric, ...labels) > sumOf(before, metric, ...labels);
}

function becomes(value: number, metric: string, ...labels: readonly string[]): MetricMove['hasMoved'] {
  return (before, now) =>
    sumOf(before, metric, ...labels) !== value && sumOf(now, metric, ...labels) === value;
}

const ASK_EVERY_MS = 25;
const UNKNOWN_TOKENS = 400;
const PARALLEL_READS = 12;

/** Every kind of fault that an operator wants to see. */
export const METRIC_MOVES: readonly MetricMove[] = [
  {
    fault: 'Redis is killed',
    watched: 'introspection',
    begin: async (scene) => {
      const stop = keepAsking(scene);
      await scene.redis.kill();
      return () =>
        stop()
          .then(scene.redis.restart)
          .then(() => breakerCloses(scene));
    },
    hasMoved: (before, now) =>
      rises('redis_faults_total')(before, now) && becomes(1, 'redis_breaker_open')(before, now),
  },
  {
    fault: 'Redis stands still',
    watched: 'introspection',
    begin: async (scene) => {
      const stop = keepAsking(scene);
      scene.redis.freeze();
      return () =>
        stop()
          .then(scene.redis.thaw)
          .then(() => breakerCloses(scene));
    },
    hasMoved: (before, now) =>
      rises('redis_faults_total', 'reason="timeout"')(before, now) &&
      becomes(1, 'redis_breaker_open')(before, now),
  },
  {
    fault: 'PostgreSQL is killed',
    watched: 'registration',
    begin: async ({ postgres }) => {
      await postgres.kill();
      return postgres.restart;
    },
    hasMoved: (before, now) =>
      becomes(0, 'dependency_up', 'dependency="store"')(before, now) &&
      rises('database_failures_total')(before, now),
  },
  {
    fault: 'PostgreSQL stands still',
    watched: 'introspection',
    begin: async (scene) => {
      const stop = keepAsking(scene);
      await scene.postgres.freeze();
      return () => stop().then(scene.postgres.thaw);
    },
    hasMoved: (before, now) =>
      becomes(0, 'dependency_up', 'dependency="store"')(before, now) &&
      rises('database_failures_total')(before, now) &&
      rises('http_failures_total', 'code="server_error"')(before, now),
  },
  {
    fault: 'announcements are not heard',
    watched: 'introspection',
    begin: async ({ services: { postgres } }) => {
      postgres.set({ kind: 'drop', from: 'server' }, (opening) => opening.includes(' feed\0'));
      return async () => postgres.pass();
    },
    hasMoved: (before, now) =>
      rises('revocation_feed_interruptions_total')(before, now) &&
      sumOf(now, 'revocation_proof_age_seconds') > 1,
  },
  {
    fault: 'a client does not answer its logout tokens',
    watched: 'logout',
    begin: async ({ endUnheardSession }) => {
      await endUnheardSession();
      return async () => undefined;
    },
    hasMoved: (before, now) =>
      rises('logout_deliveries_waiting')(before, now) &&
      sumOf(now, 'logout_delivery_oldest_seconds') > 0 &&
      rises('logout_delivery_attempts_total', 'outcome="retry"')(before, now) &&
      rises('logout_delivery_failures_total', 'reason="timeout"')(before, now) &&
      rises('egress_requests_total', 'outcome="timeout"')(before, now),
  },
  {
    fault: 'every connection to PostgreSQL is busy',
    watched: 'registration',
    begin: lockClients,
    hasMoved: (before, now) =>
      sumOf(now, 'database_statements_waiting') > 0 && rises('database_waits_total')(before, now),
  },
  {
    fault: 'a caller asks for more than its budget',
    watched: 'introspection',
    begin: async ({ services, installation }) => {
      const caller = httpCaller(services.introspection.port, installation.resourceServer.authorization);
      const tokens = Array.from({ length: UNKNOWN_TOKENS }, (_, index) => unknownToken(index));
      await Promise.all(tokens.map((token) => caller.post('/token/introspect', { token })));
      return async () => caller.close();
    },
    hasMoved: (before, now) =>
      rises('http_failures_total', 'code="too_many_requests"')(before, now) &&
      rises('http_requests_total', 'status="429"')(before, now),
  },
];

/** Resolves when Redis is asked again. */
function breakerCloses({ services: { introspection } }: Scene): Promise<void> {
  return until(async () => sumOf(await introspection.metrics(), 'redis_breaker_open') === 0);
}

function unknownToken(index: number): string {
  return String(index).padStart(43, 'x');
}

/** Asks about one token after the other that nobody knows, so that every level is asked. */
function keepAsking({ services, installation }: Scene): () => Promise<void> {
  const caller = httpCaller(services.introspection.port, installation.resourceServer.authorization);
  let count = Math.floor(Math.random() * 1e9);
  const ask = () => {
    count += 1;
    // What becomes of the answer is for other tests.
    caller.post('/token/introspect', { token: unknownToken(count) }).catch(() => undefined);
  };
  const timer = setInterval(ask, ASK_EVERY_MS);
  return async () => {
    clearInterval(timer);
    caller.close();
  };
}

/** Locks the clients, and reads more of them at a time than there are connections. */
async function lockClients({ postgres, installation, services }: Scene): Promise<() => Promise<unknown>> {
  const client = new pg.Client({ connectionString: postgres.url(installation.database) });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE client IN ACCESS EXCLUSIVE MODE');
  const caller = httpCaller(services.registration.port, `Bearer ${services.masterToken}`);
  const reads = Array.from({ length: PARALLEL_READS }, (_, index) =>
    caller.get(`/clients/reader-${index}`).catch(() => undefined),
  );
  return async () => {
    await client.end();
    await Promise.all(reads);
    caller.close();
  };
}
