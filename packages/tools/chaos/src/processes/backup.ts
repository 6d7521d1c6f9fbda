import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Closers } from '@vestibule/local-services';
import type pg from 'pg';
import type { PostgresUnderFault } from './postgres.js';

/** These files belong to the running server, not to its data. */
const NOT_DATA = ['postmaster.pid', 'postmaster.opts'];

/**
 * Copies the files of a PostgreSQL that is in use, as its backup programs do: between two calls that mark where
 * recovery begins (PostgreSQL, "Making a Base Backup Using the Low Level API"). The write-ahead log is copied last.
 * @returns a data folder that a server can be started from; it is removed at the end
 */
export async function backUp(
  { directory }: PostgresUnderFault,
  pool: pg.Pool,
  toEnd: Closers,
): Promise<string> {
  const cluster = dirname(directory);
  const folder = await mkdtemp(join(dirname(cluster), 'restored-'));
  toEnd.add(() => rm(folder, { recursive: true, force: true }));
  const copy = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to]);
  // The session that starts a backup has to stop it.
  const session = await pool.connect();
  try {
    await session.query(`SELECT pg_backup_start('chaos', fast => true)`);
    await copy(cluster, join(folder, 'cluster'));
    const { rows } = await session.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
    const data = join(folder, 'cluster', 'data');
    await Promise.all(NOT_DATA.map((name) => rm(join(data, name), { force: true })));
    await rm(join(data, 'pg_wal'), { recursive: true, force: true });
    await copy(join(directory, 'pg_wal'), data);
    await writeFile(join(data, 'backup_label'), rows[0]?.labelfile ?? '', { mode: 0o600 });
  } finally {
    session.release();
  }
  return folder;
}
