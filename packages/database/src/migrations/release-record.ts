import pg from 'pg';
import { EVERY_STATEMENT } from '../every-statement.js';
import { lazyPrisma } from '../lazy-prisma.js';
import type { RunQuery, Statement } from '../statement.js';

/** What a release needs of the schema, so that its services also run on the schema of the next release. */
export interface ReleaseRecord {
  readonly version: string;
  /** Its statements, by name. */
  readonly statements: Readonly<Record<string, RecordedStatement>>;
  /** The columns of its tables: what an INSERT of the release may leave out or set to null. */
  readonly tables: Readonly<Record<string, Readonly<Record<string, Requirement>>>>;
}

/** A statement, with its types as PostgreSQL prepares it. */
interface RecordedStatement {
  readonly text: string;
  readonly parameters: string;
  readonly columns: string;
}

/** `required`: an INSERT must name the column; `present`: it may leave the column out; `nullable`: it may be null. */
type Requirement = 'required' | 'present' | 'nullable';

/** Records what this version needs of the schema, on a database that is migrated to it. */
export async function recordRelease(url: string, version: string): Promise<ReleaseRecord> {
  return connected(url, async (client) => {
    const statements: Record<string, RecordedStatement> = {};
    for (const { name, text } of [...EVERY_STATEMENT, ...(await readsOfPrisma())])
      statements[name] = { text: onOneLine(text), ...(await typesOf(client, text)) };
    return { version, statements, tables: await requirements(client) };
  });
}

/** Lists, as sentences, what services of a release cannot do with the schema of a database. */
export async function problemsOfRelease(url: string, record: ReleaseRecord): Promise<readonly string[]> {
  return connected(url, async (client) => {
    const problems: string[] = [];
    for (const [name, statement] of Object.entries(record.statements)) {
      const problem = await problemOfStatement(client, statement);
      if (problem !== undefined) problems.push(`${name} ${problem}`);
    }
    const present = await requirements(client);
    return [
      ...problems,
      ...Object.entries(record.tables).flatMap(([table, columns]) =>
        Object.entries(present[table] ?? {}).flatMap(([column, requirement]) =>
          isNarrower(requirement, columns[column]) ? [`${table}.${column} needs a value`] : [],
        ),
      ),
    ];
  });
}

/** Whether an INSERT that fulfils the earlier requirement may be refused; there is none for a new column. */
function isNarrower(now: Requirement, before: Requirement | undefined): boolean {
  if (now === 'required') return before !== 'required';
  return now === 'present' && before === 'nullable';
}

async function problemOfStatement(
  client: pg.Client,
  { text, parameters, columns }: RecordedStatement,
): Promise<string | undefined> {
  try {
    const types = await typesOf(client, text);
    if (types.parameters !== parameters) return `has the parameters ${types.parameters}, not ${parameters}`;
    if (types.columns !== columns) return `returns ${types.columns}, not ${columns}`;
    return undefined;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return `fails: ${error.message}`;
  }
}

/** Prepares and plans a statement. */
async function typesOf(client: pg.Client, text: string): Promise<Omit<RecordedStatement, 'text'>> {
  await client.query(`PREPARE recorded AS ${text}`);
  const { rows } = await client.query<Omit<RecordedStatement, 'text'>>(
    `SELECT parameter_types::text AS parameters, coalesce(result_types::text, '') AS columns
      FROM pg_prepared_statements WHERE name = 'recorded'`,
  );
  await client.query('DEALLOCATE recorded');
  // Preparing does not find that the index of an ON CONFLICT is missing; planning does.
  await client.query(`EXPLAIN (GENERIC_PLAN) ${text}`);
  const [types] = rows;
  if (types === undefined) throw new TypeError('the server lists no prepared statement');
  return types;
}

/** The statements by which Prisma Client reads its tables; they name every column. */
async function readsOfPrisma(): Promise<readonly Statement[]> {
  const statements: Statement[] = [];
  const query: RunQuery = async (statement) => {
    statements.push(statement);
    return { command: '', rowCount: 0, oid: 0, rows: [], fields: [] };
  };
  const borrow = () => Promise.reject(new TypeError('a read needs no transaction'));
  const prisma = lazyPrisma({ query, borrow });
  const client = await prisma.obtain();
  await client.auditEvent.findFirst();
  await client.dataKey.findFirst();
  await client.deniedEntity.findFirst();
  await client.initialAccessTokenUse.findFirst();
  await client.signingKey.findFirst();
  await prisma.disconnect();
  return statements;
}

async function requirements(client: pg.Client): Promise<ReleaseRecord['tables']> {
  const { rows } = await client.query<{ table: string; column: string; requirement: Requirement }>(
    `SELECT table_name AS table, column_name AS column,
        CASE WHEN is_nullable = 'YES' THEN 'nullable'
          WHEN column_default IS NULL AND is_identity = 'NO' AND is_generated = 'NEVER' THEN 'required'
          ELSE 'present' END AS requirement
      FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'
      ORDER BY table_name, ordinal_position`,
  );
  const tables: Record<string, Record<string, Requirement>> = {};
  for (const { table, column, requirement } of rows)
    tables[table] = { ...tables[table], [column]: requirement };
  return tables;
}

function onOneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}

async function connected<Result>(
  url: string,
  operate: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await operate(client);
  } finally {
    await client.end();
  }
}
