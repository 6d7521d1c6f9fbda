import pg from 'pg';
import type { Cluster } from '../test-environment/cluster.js';
import { DEGRADED, type Fault, UNNOTICED } from '../trials/fault.js';
import { disturb } from './network-fault.js';
import { repeating } from './repeating.js';

const TERMINATE = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE 'vestibule%'`;

/** Faults of PostgreSQL and of the network to it. */
export const POSTGRES_FAULTS: readonly Fault[] = [
  {
    id: 'postgres-killed',
    title: 'PostgreSQL is killed (immediate shutdown) and recovers',
    seconds: 30,
    limits: DEGRADED,
    begin: async ({ postgres }) => {
      await postgres.kill();
      return postgres.restart;
    },
  },
  {
    id: 'postgres-frozen',
    title: 'every process of PostgreSQL is stopped (SIGSTOP)',
    seconds: 10,
    limits: DEGRADED,
    begin: async ({ postgres }) => {
      await postgres.freeze();
      return postgres.thaw;
    },
  },
  {
    id: 'postgres-slow',
    title: 'every response of PostgreSQL comes 500 ms later',
    seconds: 10,
    revocationsAtOnce: 24,
    limits: DEGRADED,
    begin: (cluster) => disturb(cluster, 'postgres', { traffic: { kind: 'delay', ms: 500, from: 'server' } }),
  },
  {
    id: 'postgres-unreachable',
    title: 'both instances are cut off from PostgreSQL, which still accepts revocations',
    seconds: 12,
    limits: DEGRADED,
    begin: (cluster) => disturb(cluster, 'postgres', { traffic: { kind: 'drop' } }),
  },
  {
    id: 'postgres-locked',
    title: 'another session locks the table of access tokens',
    seconds: 10,
    limits: DEGRADED,
    begin: async (cluster) => {
      const client = await aConnection(cluster);
      await client.query('BEGIN');
      await client.query('LOCK TABLE access_token IN ACCESS EXCLUSIVE MODE');
      return () => client.end();
    },
  },
  {
    id: 'postgres-exhausted',
    title: 'other sessions take every connection of PostgreSQL',
    seconds: 10,
    limits: DEGRADED,
    begin: takeConnections,
  },
  {
    id: 'postgres-terminations',
    title: 'every connection of the instances is terminated every second',
    seconds: 20,
    limits: UNNOTICED,
    begin: async ({ installation: { pool } }) => repeating(1_000, () => pool.query(TERMINATE)),
  },
];

async function aConnection({ postgres, installation }: Cluster): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: postgres.url(installation.database) });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function takeConnections(cluster: Cluster): Promise<() => Promise<unknown>> {
  const taken: pg.Client[] = [];
  const take = async () => {
    try {
      for (;;) taken.push(await aConnection(cluster));
    } catch {
      // No connections are left.
    }
  };
  await take();
  await cluster.installation.pool.query(TERMINATE);
  const stop = repeating(20, take);
  return async () => {
    await stop();
    await Promise.all(taken.map((client) => client.end()));
  };
}
