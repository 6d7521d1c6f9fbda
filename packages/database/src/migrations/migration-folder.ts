import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MigrationList } from '@prisma/schema-engine-wasm';
import { packageFolder } from '../package-folder.js';

const PRISMA_FOLDER = join(packageFolder(), 'prisma');
const SCHEMA_FILE = join(PRISMA_FOLDER, 'schema.prisma');
const LOCK_FILE = 'migration_lock.toml';

/** The folder of the migrations, which have a folder each. */
export const MIGRATIONS_FOLDER = join(PRISMA_FOLDER, 'migrations');

/** Reads the schema as path and text, for the engine. */
export async function readSchema(): Promise<[path: string, content: string]> {
  return [SCHEMA_FILE, await readFile(SCHEMA_FILE, 'utf8')];
}

/** Reads all migrations of the package in the order of application. */
export async function readMigrations(): Promise<MigrationList> {
  const entries = await readdir(MIGRATIONS_FOLDER, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const migrationDirectories = names.sort().map(async (name) => ({
    path: name,
    migrationFile: {
      path: 'migration.sql',
      content: {
        tag: 'ok' as const,
        value: await readFile(join(MIGRATIONS_FOLDER, name, 'migration.sql'), 'utf8'),
      },
    },
  }));
  return {
    baseDir: MIGRATIONS_FOLDER,
    lockfile: { path: LOCK_FILE, content: await readFile(join(MIGRATIONS_FOLDER, LOCK_FILE), 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(migrationDirectories),
  };
}
