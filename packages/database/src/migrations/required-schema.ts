import type { RunStatement, Statement } from '../statement.js';
import { contractOf } from './contract-mark.js';
import { readMigrations } from './migration-folder.js';

/** Thrown when the schema of the database is older than this version needs, until it is migrated. */
export class SchemaTooOldError extends Error {
  override readonly name = 'SchemaTooOldError';
  /** The missing migrations, in order. */
  readonly missing: readonly string[];

  constructor(missing: readonly string[]) {
    super(`the database lacks ${missing.length} migrations of this version, the first one ${missing[0]}`);
    this.missing = missing;
  }
}

/** By hand, because every service runs it at its start, and the table is no model. */
const APPLIED: Statement = {
  name: 'applied-migrations',
  text: 'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  repeatable: true,
};
const UNDEFINED_TABLE = '42P01';

/** The result, or the reading that is under way: the files of a version do not change, and each is read for its mark. */
let required: Promise<readonly string[]> | undefined;

/**
 * Lists the migrations that this version needs: all of its own except contracts, which only drop unused things. Reads
 * them once in a process, and again if that fails.
 */
export function requiredMigrations(): Promise<readonly string[]> {
  required ??= findRequired().catch((error: unknown) => {
    required = undefined;
    throw error;
  });
  return required;
}

async function findRequired(): Promise<readonly string[]> {
  const { migrationDirectories } = await readMigrations();
  return migrationDirectories.flatMap(({ path, migrationFile: { content } }) =>
    content.tag === 'ok' && contractOf(content.value) !== undefined ? [] : [path],
  );
}

/**
 * Checks that the schema of a database has everything that this version needs. It may be newer.
 * @throws SchemaTooOldError when migrations are missing
 */
export async function requireSchema(run: RunStatement, required: readonly string[]): Promise<void> {
  const applied = new Set(await appliedMigrations(run));
  const missing = required.filter((name) => !applied.has(name));
  if (missing.length > 0) throw new SchemaTooOldError(missing);
}

/** Lists the applied migrations; none if the database was never migrated. */
async function appliedMigrations(run: RunStatement): Promise<readonly string[]> {
  try {
    return (await run<{ name: string }>(APPLIED, [])).rows.map(({ name }) => name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE) return [];
    throw error;
  }
}
