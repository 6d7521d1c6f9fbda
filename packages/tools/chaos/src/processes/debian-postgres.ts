import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type Closers,
  createDatabase,
  dropDatabase,
  freePort,
  installDebianPackage,
} from '@vestibule/local-services';
import pg from 'pg';
import { until } from '../until.js';
import { startPlainProcess } from './plain-process.js';
import type { PostgresUnderFault } from './postgres.js';

/** PostgreSQL from Debian with its backup programs, which the npm package lacks. */
export interface DebianPostgres extends Pick<PostgresUnderFault, 'url' | 'createDatabase' | 'dropDatabase'> {
  readonly version: string;
  /** Dumps a database that may be in use into a file, as the guide describes. */
  dump(database: string, file: string): Promise<void>;
  /** Restores such a file into an empty database. */
  restore(file: string, database: string): Promise<void>;
}

const PROGRAMS = '/usr/lib/postgresql';

/** Starts one in a new folder, which is removed at the end. @throws Error where it is not installed */
export async function startDebianPostgres(
  toEnd: Closers,
  log: (sentence: string) => void,
): Promise<DebianPostgres> {
  const version = (await newestVersion()) ?? (await installedVersion(log));
  const program = (name: string) => join(PROGRAMS, version, 'bin', name);
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-debian-postgres-'));
  toEnd.add(() => rm(folder, { recursive: true, force: true }));
  const [directory, password, port] = [
    join(folder, 'data'),
    randomBytes(24).toString('hex'),
    await freePort(),
  ];
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  const prefix = await unprivilegedPrefix([folder, passwordFile]);
  const run = (command: readonly string[]) => {
    const [file = '', ...args] = command;
    return promisify(execFile)(file, args, {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', PGPASSWORD: password },
    });
  };
  const initdb = [program('initdb'), `--pgdata=${directory}`, `--pwfile=${passwordFile}`];
  await run([
    ...prefix,
    ...initdb,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
  ]);
  const settings = [
    '-c',
    `port=${port}`,
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
  ];
  const server = await startPlainProcess({
    command: [...prefix, program('postgres'), '-D', directory, ...settings],
  });
  toEnd.add(() => server.end('SIGINT'));
  const url = (database: string) => `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`;
  const at = (database: string) => `--dbname=postgresql://postgres@127.0.0.1:${port}/${database}`;
  await until(() => responses(url('postgres')));
  return {
    version,
    url,
    createDatabase: (name) => createDatabase({ url: url('postgres'), name }),
    dropDatabase: (name) => dropDatabase(url('postgres'), name),
    dump: async (database, file) => {
      await run([program('pg_dump'), '--format=custom', `--file=${file}`, at(database)]);
    },
    restore: async (file, database) => {
      await run([program('pg_restore'), '--exit-on-error', at(database), file]);
    },
  };
}

async function newestVersion(): Promise<string | undefined> {
  const versions = await readdir(PROGRAMS).catch(() => []);
  return versions.toSorted((a, b) => Number(a) - Number(b)).at(-1);
}

async function installedVersion(log: (sentence: string) => void): Promise<string> {
  const missing = "Debian's PostgreSQL with pg_dump is not installed";
  await installDebianPackage({ name: 'postgresql', missing, log });
  const version = await newestVersion();
  if (version === undefined) throw new Error(missing);
  return version;
}

/** PostgreSQL refuses to run as root. @returns the command prefix that switches to another user */
async function unprivilegedPrefix(paths: readonly string[]): Promise<readonly string[]> {
  if (userInfo().uid !== 0) return [];
  const { stdout } = await promisify(execFile)('id', ['-u', 'postgres']);
  const uid = Number(stdout);
  const { stdout: group } = await promisify(execFile)('id', ['-g', 'postgres']);
  for (const path of paths) if ((await stat(path)).uid === 0) await chown(path, uid, Number(group));
  return ['setpriv', `--reuid=${uid}`, `--regid=${Number(group)}`, '--clear-groups'];
}

async function responses(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.end();
  return true;
}
