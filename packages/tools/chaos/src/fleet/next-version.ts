import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Closers } from '@vestibule/local-services';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { ROOT } from '../test-environment/root.js';
import { SERVICE_NAMES, type ServiceName } from '../traffic/traffics.js';

const Manifest = Type.Object({ scripts: Type.Object({ bundle: Type.String() }) });

/** Migrations that a next version might contain: columns, a table, and an index on a table in use. */
const MIGRATIONS: Readonly<Record<string, string>> = {
  '29990101000000_next_columns': `ALTER TABLE "client" ADD COLUMN "next_note" TEXT;
ALTER TABLE "access_token" ADD COLUMN "next_kind" INTEGER NOT NULL DEFAULT 0;
CREATE TABLE "next_thing" ("id" TEXT NOT NULL PRIMARY KEY, "client_id" TEXT NOT NULL REFERENCES "client" ("id"));`,
  '29990101000100_next_index': `CREATE INDEX CONCURRENTLY "access_token_next_kind_idx" ON "access_token" ("next_kind");`,
};

/** The parts of a built package that bundling and execution need. */
const COPIED_PARTS = ['package.json', 'bin', 'dist', 'node_modules', 'prisma'];
const CACHE_VERSION = /SCHEMA_VERSION = 1\b/;
/** The version of cached values in Redis of the next version. */
export const NEXT_CACHE_VERSION = 2;

/** A build of a next version. */
export interface NextVersion {
  /** The root of its copy of the repository. */
  readonly root: string;
  /** The number of its new migrations. */
  readonly migrations: number;
  /** Applies them in a separate process, as an operator does. @returns the number of applied migrations */
  migrate(databaseUrl: string): Promise<number>;
}

/**
 * Builds a next version: the same services, which need further migrations and use another format for values in Redis.
 * It is removed at the end.
 */
export async function makeNextVersion(toEnd: Closers): Promise<NextVersion> {
  const root = await mkdtemp(join(tmpdir(), 'vestibule-next-'));
  toEnd.add(() => rm(root, { recursive: true, force: true }));
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  for (const folder of ['apps', 'packages', join('packages', 'tools')])
    for (const name of await readdir(join(ROOT, folder))) await copyPackage(root, join(folder, name));
  const migrations = join(root, 'packages', 'database', 'prisma', 'migrations');
  for (const [name, script] of Object.entries(MIGRATIONS)) {
    await mkdir(join(migrations, name));
    await writeFile(join(migrations, name, 'migration.sql'), script);
  }
  const keys = join(root, 'packages', 'cache', 'dist', 'cache-key.js');
  const text = await readFile(keys, 'utf8');
  if (!CACHE_VERSION.test(text)) throw new Error('the version of cached values was not found');
  await writeFile(keys, text.replace(CACHE_VERSION, `SCHEMA_VERSION = ${NEXT_CACHE_VERSION}`));
  await Promise.all(SERVICE_NAMES.map((name) => bundleProgram(root, name)));
  return {
    root,
    migrations: Object.keys(MIGRATIONS).length,
    migrate: (databaseUrl) => migrateWith(root, databaseUrl),
  };
}

async function copyPackage(root: string, place: string): Promise<void> {
  for (const part of COPIED_PARTS)
    await cp(join(ROOT, place, part), join(root, place, part), {
      recursive: true,
      verbatimSymlinks: true,
    }).catch(() => undefined);
}

/** Programs are bundles, so the changed packages must be bundled into them. */
async function bundleProgram(root: string, name: ServiceName): Promise<void> {
  const cwd = join(root, 'apps', name);
  const manifest: unknown = JSON.parse(await readFile(join(cwd, 'package.json'), 'utf8'));
  const { bundle } = Value.Parse(Manifest, manifest).scripts;
  const bins = [join(cwd, 'node_modules', '.bin'), join(root, 'node_modules', '.bin')];
  const path = [...bins, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
  await promisify(execFile)('/bin/sh', ['-c', bundle], { cwd, env: { PATH: path } });
}

async function migrateWith(root: string, databaseUrl: string): Promise<number> {
  const code = `import { migrate } from ${JSON.stringify(join(root, 'packages', 'database', 'dist', 'index.js'))};
    process.stdout.write(String((await migrate(process.env.DATABASE_URL)).length));`;
  const args = ['--input-type=module', '--eval', code];
  const env = { PATH: '/usr/bin:/bin', DATABASE_URL: databaseUrl };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return Number(stdout);
}
