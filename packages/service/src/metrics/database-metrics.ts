import { STANDBY_STATES, type Store } from '@vestibule/database';
import { readCounter, readGauge } from '@vestibule/http/observability';
import type { Registry } from 'prom-client';

/** Registers metrics of the database: statements, connection pool, standbys, and data keys that cannot be decrypted. */
export function registerDatabaseMetrics(
  registry: Registry,
  {
    database: { counters, connections },
    unopenedDataKeys,
    server,
  }: Pick<Store, 'database' | 'unopenedDataKeys' | 'server'>,
): void {
  readGauge(registry, {
    name: 'database_connections',
    help: 'Open Postgres connections by state: `busy` or `idle`.',
    labels: ['state'],
    read: () => {
      const { busy, idle } = connections();
      return [
        [{ state: 'busy' }, busy],
        [{ state: 'idle' }, idle],
      ];
    },
  });
  readGauge(registry, {
    name: 'database_statements_waiting',
    help: 'Statements currently waiting for a connection.',
    read: () => [[{}, connections().waiting]],
  });
  readGauge(registry, {
    name: 'data_keys_unopened',
    help: 'Stored data keys that the keys in `ENCRYPTION_KEYS` cannot decrypt.',
    read: () => [[{}, unopenedDataKeys().length]],
  });
  readGauge(registry, {
    name: 'database_standbys',
    help: 'Standbys connected to the Postgres primary, by `sync_state`: `sync`, `quorum`, `potential`, `async`, or `unknown` where the role lacks `pg_read_all_stats`.',
    labels: ['sync_state'],
    read: () => {
      const standbys = server.standbys();
      return STANDBY_STATES.map((sync_state) => [{ sync_state }, standbys[sync_state]] as const);
    },
  });
  const totals = [
    [
      'database_promotions_total',
      'Times that a different Postgres server or timeline was found behind `DATABASE_URL`. Each time, all cached data is discarded.',
      server.promotions,
    ],
    ['database_waits_total', 'Statements that waited for a connection.', () => counters.waits],
    [
      'database_wait_seconds_total',
      'Total time that statements waited for a connection, in seconds.',
      () => counters.waitedMs / 1000,
    ],
    [
      'database_waits_given_up_total',
      'Statements rejected because no connection became free in time.',
      () => counters.refusals,
    ],
    ['database_retries_total', 'Statements that were retried.', () => counters.retries],
  ] as const;
  for (const [name, help, read] of totals) readCounter(registry, { name, help, read: () => [[{}, read()]] });
  readCounter(registry, {
    name: 'database_failures_total',
    help: 'Statements that failed after any retry, by reason: `no_connection`, `connection_lost`, `timeout`, or `refused` by Postgres.',
    labels: ['reason'],
    read: () => Object.entries(counters.failures).map(([reason, count]) => [{ reason }, count] as const),
  });
}
