import { contractOf } from './contract-mark.js';
import { splitStatements } from './split-statements.js';

/** A migration file. */
export interface MigrationText {
  readonly name: string;
  readonly script: string;
}

/** A statement with its migration. */
interface Evaluated {
  readonly statement: string;
  readonly statements: readonly string[];
  /** Whether a table existed before this migration. */
  readonly isLive: (table: string) => boolean;
}

/** A rule: returns a sentence for a statement that breaks it. */
type Rule = (evaluated: Evaluated) => string | undefined;

const TABLE = String.raw`(?:IF EXISTS )?(?:ONLY )?"?(\w+)"?`;
const INDEX = new RegExp(
  String.raw`^CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(?:IF NOT EXISTS )?"?\w+"? ON ${TABLE}`,
  'i',
);
const ALTER_TABLE = new RegExp(`^ALTER TABLE ${TABLE} (.*)$`, 'i');
const CHANGE_OF_ROWS = new RegExp(`^(?:UPDATE|DELETE FROM|TRUNCATE(?: TABLE)?) ${TABLE}`, 'i');
const DROP_TRIGGER = /^DROP TRIGGER (?:IF EXISTS )?"?(\w+)"? ON "?(\w+)"?$/i;
/** Default values that rewrite every row. */
const VOLATILE = /\b(?:gen_random_uuid|uuidv7|uuidv4|random|clock_timestamp|nextval|timeofday)\s*\(/i;

/** Rules for removals that the previous version, which is still running, may need; only a contract may do these. */
const TAKING_AWAY: readonly Rule[] = [
  ({ statement, statements }) => {
    if (!/^DROP /i.test(statement) || /^DROP INDEX CONCURRENTLY /i.test(statement)) return undefined;
    const [, trigger, table] = DROP_TRIGGER.exec(statement) ?? [];
    const isMadeAnew = statements.some((other) =>
      new RegExp(String.raw`^CREATE TRIGGER "?${trigger}"? .*ON "?${table}"?\b`, 'i').test(other),
    );
    return trigger !== undefined && isMadeAnew
      ? undefined
      : 'drops something that the previous version may use';
  },
  ({ statement }) =>
    /\bRENAME (?:COLUMN|TO|VALUE|CONSTRAINT)\b/i.test(statement)
      ? 'renames something that the previous version may use'
      : undefined,
  onLiveTable((change) =>
    /\bDROP (?:COLUMN|CONSTRAINT)\b/i.test(change)
      ? 'drops something that the previous version may use'
      : undefined,
  ),
  onLiveTable((change) =>
    /\bALTER (?:COLUMN )?"?\w+"? (?:SET NOT NULL|DROP DEFAULT|(?:SET DATA )?TYPE )/i.test(change)
      ? 'narrows a column that the previous version writes'
      : undefined,
  ),
];

/** Rules for statements that block the users of a large table, in contracts too. */
const KEEPING_OTHERS_WAITING: readonly Rule[] = [
  ({ statement, statements, isLive }) => {
    const [, concurrently, table = ''] = INDEX.exec(statement) ?? [];
    if (table === '' || !isLive(table)) return undefined;
    if (concurrently === undefined) return 'creates an index on a live table without CONCURRENTLY';
    return statements.length > 1 ? 'creates an index CONCURRENTLY beside other statements' : undefined;
  },
  ({ statement, statements }) =>
    /^DROP INDEX CONCURRENTLY /i.test(statement) && statements.length > 1
      ? 'drops an index CONCURRENTLY beside other statements'
      : undefined,
  ({ statement }) =>
    /^DROP INDEX (?!CONCURRENTLY )/i.test(statement) ? 'drops an index without CONCURRENTLY' : undefined,
  ({ statement, isLive }) => {
    const [, table = ''] = CHANGE_OF_ROWS.exec(statement) ?? [];
    return table !== '' && isLive(table) ? 'changes the rows of a live table' : undefined;
  },
  ({ statement }) =>
    /^(?:LOCK|CLUSTER|VACUUM|REINDEX|REFRESH|SET|RESET|BEGIN|COMMIT)\b/i.test(statement)
      ? 'locks, rewrites or changes the session'
      : undefined,
  onLiveTable(problemOfAddedConstraint),
  onLiveTable(problemOfAddedColumn),
];

/**
 * Checks whether a migration can be applied while the previous version runs and keeps running. Returns sentences about
 * statements that cannot. Only a contract, a later migration that names the expansion (`-- Contract of <name>.`), may
 * drop something that the previous version uses.
 */
export function problemsOfMigration(
  { name, script }: MigrationText,
  earlier: readonly string[],
): readonly string[] {
  const statements = splitStatements(script);
  const made = new Set(
    statements.flatMap(
      (statement) => /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?"?(\w+)"?/i.exec(statement)?.[1] ?? [],
    ),
  );
  const expansion = contractOf(script);
  if (expansion !== undefined && !earlier.includes(expansion))
    return [`${name}: is the contract of ${expansion}, which is no earlier migration`];
  const rules = [...(expansion === undefined ? TAKING_AWAY : []), ...KEEPING_OTHERS_WAITING];
  const isLive = (table: string) => !made.has(table);
  return statements.flatMap((statement) =>
    rules.flatMap((rule) => {
      const problem = rule({ statement, statements, isLive });
      return problem === undefined ? [] : [`${name}: ${problem}: ${statement.slice(0, 100)}`];
    }),
  );
}

/** Creates a rule for changes of a table that existed before. */
function onLiveTable(evaluate: (change: string) => string | undefined): Rule {
  return ({ statement, isLive }) => {
    const [, table = '', change = ''] = ALTER_TABLE.exec(statement) ?? [];
    return table !== '' && isLive(table) ? evaluate(change) : undefined;
  };
}

function problemOfAddedConstraint(change: string): string | undefined {
  if (!/\bADD CONSTRAINT\b/i.test(change)) return undefined;
  if (/\bUSING INDEX\b/i.test(change) || /\bNOT VALID$/i.test(change)) return undefined;
  return 'adds a constraint that checks every row at once';
}

function problemOfAddedColumn(change: string): string | undefined {
  const columns = change.split(/,(?= *ADD COLUMN\b)/i).filter((part) => /\bADD COLUMN\b/i.test(part));
  for (const column of columns) {
    const hasDefault = /\bDEFAULT\b/i.test(column);
    if (/\bNOT NULL\b/i.test(column) && !hasDefault)
      return 'adds a column that the previous version does not fill';
    if (hasDefault && VOLATILE.test(column)) return 'adds a column whose default rewrites every row';
    if (/\bGENERATED ALWAYS AS \(|\b(?:SMALL|BIG)?SERIAL\b/i.test(column))
      return 'adds a column that rewrites every row';
    if (/\b(?:UNIQUE|PRIMARY KEY|REFERENCES|CHECK)\b/i.test(column))
      return 'adds a constraint that checks every row at once';
  }
  return undefined;
}
