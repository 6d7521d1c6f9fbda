import { setTimeout as pause } from 'node:timers/promises';
import type {
  DiagnoseMigrationHistoryOutput,
  MigrationList,
  SchemaEngine,
  SchemaFilter,
} from '@prisma/schema-engine-wasm';
import type pg from 'pg';
import { migrationConnectTimeoutMs } from '../connect-timeout.js';
import { PrimaryClient } from '../primary-client.js';
import { readMigrations } from './migration-folder.js';

/** Compares a database with the migrations of this version. */
export interface MigrationStatus {
  /** Migrations that `migrate` would apply, in order. */
  readonly pending: readonly string[];
  /** Migrations that were interrupted and need manual attention. */
  readonly failed: readonly string[];
  /** Migrations whose text differs from the applied one. */
  readonly edited: readonly string[];
  /** Migrations in the database that this version does not contain, because it is older than the database. */
  readonly unknown: readonly string[];
}

/** Key of the advisory lock of migrations. */
export const MIGRATION_LOCK = '5566137290144819371';
const LOCK_PAUSE_MS = 100;
const NO_FILTER: SchemaFilter = { externalTables: [], externalEnums: [] };

/**
 * Applies pending migrations in order, with Prisma's own engine and its ordinary history table. Parallel calls queue. A
 * migration waits for locks only briefly, and retries, so that readers and writers hardly wait for it. A migration that
 * the database rejects leaves nothing behind and can be tried again. Needs a direct connection, because the advisory
 * lock belongs to a session.
 * @throws OutdatedServerError when the server is too old for this version
 * @throws StandbyServerError when it is a standby
 * @returns the names of the applied migrations; empty when there were none
 */
export async function migrate(url: string): Promise<readonly string[]> {
  return whileLocked(url, async () => {
    const migrationsList = await readMigrations();
    const { withSchemaEngine } = await import('./schema-engine.js');
    let isRefused = false;
    const apply = async (engine: SchemaEngine) => {
      try {
        return await engine.applyMigrations({ migrationsList, filters: NO_FILTER });
      } catch (error) {
        if (isRefused) await takeBackRefused(engine, migrationsList);
        throw error;
      }
    };
    const onRefused = () => {
      isRefused = true;
    };
    return (await withSchemaEngine(url, apply, onRefused)).appliedMigrationNames;
  });
}

/** Marks rejected migrations as rolled back, because they left nothing behind and can be tried again. */
async function takeBackRefused(engine: SchemaEngine, migrationsList: MigrationList): Promise<void> {
  const history = { migrationsList, optInToShadowDatabase: false, filters: NO_FILTER };
  const { failedMigrationNames } = await engine.diagnoseMigrationHistory(history);
  for (const migrationName of failedMigrationNames) await engine.markMigrationRolledBack({ migrationName });
}

/** Compares a database with the migrations of this version; changes nothing. */
export async function migrationStatus(url: string): Promise<MigrationStatus> {
  const migrationsList = await readMigrations();
  const { withSchemaEngine } = await import('./schema-engine.js');
  const found = await withSchemaEngine(url, (engine) =>
    engine.diagnoseMigrationHistory({ migrationsList, optInToShadowDatabase: false, filters: NO_FILTER }),
  );
  return {
    pending: found.hasMigrationsTable
      ? unapplied(found)
      : migrationsList.migrationDirectories.map(({ path }) => path),
    failed: found.failedMigrationNames,
    edited: found.editedMigrationNames,
    unknown: unknown(found),
  };
}

function unapplied({ history }: DiagnoseMigrationHistoryOutput): readonly string[] {
  return history !== null && 'unappliedMigrationNames' in history ? history.unappliedMigrationNames : [];
}

function unknown({ history }: DiagnoseMigrationHistoryOutput): readonly string[] {
  return history !== null && 'unpersistedMigrationNames' in history ? history.unpersistedMigrationNames : [];
}

/**
 * Waits for the lock between statements, not within one: CREATE INDEX CONCURRENTLY waits for all running statements, so
 * it would deadlock with a process that waits for the lock in a statement.
 */
async function lock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ is_ours: boolean }>('SELECT pg_try_advisory_lock($1) AS is_ours', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.is_ours) return;
    await pause(LOCK_PAUSE_MS * (1 + Math.random()));
  }
}

async function whileLocked<Result>(url: string, operate: () => Promise<Result>): Promise<Result> {
  const client = new PrimaryClient({
    connectionString: url,
    connectionTimeoutMillis: migrationConnectTimeoutMs(url),
    keepAlive: true,
    application_name: 'vestibule-migrate',
  });
  // The next statement reports a lost connection; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    client.requirePrimary();
    await lock(client);
    return await operate();
  } finally {
    // Releases the lock too.
    await client.end();
  }
}
