import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { anEmptyDatabase, query } from '../testing/test-database.js';
import { missingStatements } from './draft-migration.js';
import { MIGRATION_LOCK, migrate, migrationStatus } from './migrate.js';

it('applies every migration once, however many processes try at the same time', async () => {
  const url = await anEmptyDatabase();
  const { pending } = await migrationStatus(url);
  expect(pending.length).toBeGreaterThan(0);
  const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(url)));
  expect(applied.flat()).toEqual(pending);
  expect(await migrationStatus(url)).toEqual({ pending: [], failed: [], edited: [], unknown: [] });
});

it('waits while another process migrates', async () => {
  const url = await anEmptyDatabase();
  const holder = new pg.Client(url);
  await holder.connect();
  await holder.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
  const migrating = migrate(url);
  const waiting = () =>
    query(
      url,
      `SELECT FROM pg_stat_activity WHERE datname = current_database()
        AND state = 'idle' AND query LIKE 'SELECT pg_try_advisory_lock%'`,
    );
  await expect.poll(waiting, { timeout: 60_000 }).toHaveLength(1);
  expect(await query(url, `SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
  await holder.end();
  expect(await migrating).not.toEqual([]);
});

it('leaves a database that matches the schema exactly', async () => {
  const url = await anEmptyDatabase();
  await migrate(url);
  expect(await missingStatements(url)).toBeUndefined();
  await query(url, 'ALTER TABLE client DROP COLUMN superior');
  expect(await missingStatements(url)).toContain('ADD COLUMN     "superior"');
});

it('distinguishes edited, unknown and failed migrations', async () => {
  const url = await anEmptyDatabase();
  const applied = await migrate(url);
  await query(url, `UPDATE _prisma_migrations SET checksum = 'other'`);
  expect((await migrationStatus(url)).edited).toEqual(applied);
  const last = applied.at(-1);
  const rename = `UPDATE _prisma_migrations SET migration_name = '20990101000000_newer' WHERE migration_name = $1`;
  await query(url, rename, [last]);
  const status = await migrationStatus(url);
  expect(status.unknown).toEqual(['20990101000000_newer']);
  expect(status.pending).toEqual([last]);
  await query(url, `UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name LIKE '2099%'`);
  expect((await migrationStatus(url)).failed).toEqual(['20990101000000_newer']);
  await expect(migrate(url)).rejects.toThrow(/20990101000000_newer/);
});

it('applies a migration as a whole or not at all', async () => {
  const url = await anEmptyDatabase();
  // The name of one of the last objects of a migration is taken.
  await query(url, 'CREATE FUNCTION vestibule_guard_audit_event() RETURNS integer LANGUAGE sql RETURN 1');
  await expect(migrate(url)).rejects.toThrow();
  expect(await query(url, `SELECT FROM pg_indexes WHERE indexname = 'client_unused_open_idx'`)).toEqual([]);
});

it('applies a rejected migration when its cause is gone', async () => {
  const url = await anEmptyDatabase();
  await query(url, 'CREATE FUNCTION vestibule_guard_audit_event() RETURNS integer LANGUAGE sql RETURN 1');
  await expect(migrate(url)).rejects.toThrow();
  const { failed, pending } = await migrationStatus(url);
  expect([failed, pending[0]]).toEqual([[], expect.stringContaining('audit_and_life_cycle')]);
  await query(url, 'DROP FUNCTION vestibule_guard_audit_event()');
  expect(await migrate(url)).toEqual(pending);
});

it('does nothing to a database that is newer than this version', async () => {
  const url = await anEmptyDatabase();
  await migrate(url);
  await query(
    url,
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ('newer', '', '20990101000000_newer', now(), 1)`,
  );
  expect(await migrate(url)).toEqual([]);
});

it('applies nothing to a database that rejects migrations', async () => {
  const url = Object.assign(new URL(await anEmptyDatabase()), { password: 'wrong' }).href;
  await expect(migrate(url)).rejects.toMatchObject({ code: '28P01' });
});

it('migrates with every copy of this package in a process', async () => {
  await migrate(await anEmptyDatabase());
  vi.resetModules();
  const copy = await import('./migrate.js');
  expect(copy.migrate).not.toBe(migrate);
  for (const each of [copy.migrate, migrate]) expect(await each(await anEmptyDatabase())).not.toEqual([]);
});
