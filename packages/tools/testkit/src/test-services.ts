import { sendRedisCommand } from '@vestibule/local-services';
import { lendDatabase, runSql, type Sql } from '@vestibule/local-services/testing';
import { inject } from 'vitest';

/** A database of one test. */
export interface TestDatabase {
  readonly url: string;
  /** Runs a statement outside the services, and returns its rows. It must leave no state in its session. */
  readonly sql: Sql;
  /** Closes its connections; its rows are deleted. */
  drop(): Promise<void>;
}

/** A migrated, empty PostgreSQL database for this test only. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { postgresUrl, templateDatabase } = inject('services');
  const { url, giveBack } = await lendDatabase({
    server: postgresUrl,
    name: templateDatabase,
    filled: ['_prisma_migrations'],
  });
  return { url, sql: (statement, values) => runSql(url, statement, values), drop: giveBack };
}

/**
 * The URL of an empty Redis database for this test only. Publishing, scripts and FLUSHALL affect the whole server:
 * tests of these start a separate one.
 */
export async function testRedisUrl(): Promise<string> {
  const { redisUrl, redisDatabases } = inject('services');
  const number = Number((await sendRedisCommand(redisUrl, 'INCR databases-given'))?.slice(1));
  if (!(number < redisDatabases)) throw new RangeError('the Redis of this run has no database left');
  return databaseUrl(redisUrl, String(number));
}

function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
