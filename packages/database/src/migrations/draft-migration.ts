import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from './migrate.js';
import { MIGRATIONS_FOLDER, readSchema } from './migration-folder.js';
import { withSchemaEngine } from './schema-engine.js';

/**
 * Writes the migration from the committed migrations to `schema.prisma`. Needs an empty database, which it modifies.
 * @returns the path of the new file; `undefined` when the schema has not changed
 */
export async function draftMigration(url: string, name: string, now: Date): Promise<string | undefined> {
  await migrate(url);
  const script = await missingStatements(url);
  if (script === undefined) return undefined;
  const folder = join(MIGRATIONS_FOLDER, `${timestamp(now)}_${name}`);
  await mkdir(folder);
  const file = join(folder, 'migration.sql');
  await writeFile(file, script);
  return file;
}

/** Returns the statements from the state of a database to `schema.prisma`; `undefined` when there are none. */
export async function missingStatements(url: string): Promise<string | undefined> {
  const [path, content] = await readSchema();
  const { exitCode, stdout } = await withSchemaEngine(url, (engine) =>
    engine.diff({
      from: { tag: 'schemaDatasource', files: [{ path, content }], configDir: '' },
      to: { tag: 'schemaDatamodel', files: [{ path, content }] },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  return exitCode === 0 ? undefined : (stdout ?? undefined);
}

/** Formats a time like the names of Prisma's migrations: year to second in UTC, fourteen digits. */
function timestamp(now: Date): string {
  return now.toISOString().replace(/\D/g, '').slice(0, 14);
}
