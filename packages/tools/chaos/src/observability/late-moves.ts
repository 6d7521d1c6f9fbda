import pg from 'pg';
import { httpCaller } from '../load/http.js';
import { until } from '../until.js';
import { breakerCloses, keepIntrospecting } from './introspection-requests.js';
import { becomes, type Fixture, type MetricMove, rises, sumOf } from './metric-move.js';

const PARALLEL_READS = 12;

/** Faults that show only after a timeout or when a resource is used up. */
export const LATE_MOVES: readonly MetricMove[] = [
  {
    fault: 'Redis is stopped',
    watched: 'introspection',
    begin: async (fixture) => {
      const stop = keepIntrospecting(fixture);
      fixture.redis.freeze();
      return () =>
        stop()
          .then(fixture.redis.thaw)
          .then(() => breakerCloses(fixture));
    },
    hasMoved: (before, now) =>
      rises('redis_faults_total', 'reason="timeout"')(before, now) &&
      becomes(1, 'redis_breaker_open')(before, now),
  },
  {
    fault: 'PostgreSQL is stopped',
    watched: 'introspection',
    begin: async (fixture) => {
      const stop = keepIntrospecting(fixture);
      await fixture.postgres.freeze();
      return () => stop().then(fixture.postgres.thaw);
    },
    hasMoved: (before, now) =>
      becomes(0, 'dependency_up', 'dependency="store"')(before, now) &&
      rises('database_failures_total')(before, now) &&
      rises('http_failures_total', 'code="server_error"')(before, now),
  },
  {
    fault: 'invalidation events are lost',
    watched: 'introspection',
    begin: async ({ services: { introspection, postgres } }) => {
      // Only a stream that is connected can lose events. It connects again some time after the fault before.
      const watermarkAge = async () =>
        sumOf(await introspection.metrics(), 'invalidation_watermark_age_seconds');
      await until(async () => (await watermarkAge()) < 1);
      postgres.set({ kind: 'drop', from: 'server' }, (opening) => opening.includes(' invalidations\0'));
      return async () => postgres.pass();
    },
    hasMoved: (before, now) =>
      rises('invalidation_stream_gaps_total')(before, now) &&
      sumOf(now, 'invalidation_watermark_age_seconds') > 1,
  },
  {
    fault: 'every connection to PostgreSQL is busy',
    watched: 'registration',
    begin: lockClients,
    hasMoved: (before, now) =>
      sumOf(now, 'database_statements_waiting') > 0 && rises('database_waits_total')(before, now),
  },
];

/** Locks the table of clients, and starts more reads than there are connections. */
async function lockClients({ postgres, installation, services }: Fixture): Promise<() => Promise<unknown>> {
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
