import { describe, expect, it } from 'vitest';
import { readMigrations } from './migration-folder.js';
import { type MigrationText, problemsOfMigration } from './migration-rules.js';

/** Nothing was released before this migration, so no previous version can be running. */
const FIRST_RELEASED = '20261120190000_bounded_client_announcements';

const evaluate = (script: string, earlier: readonly string[] = []) =>
  problemsOfMigration({ name: 'new', script }, earlier);

it('finds no statement in the migrations of this version that the previous version cannot handle', async () => {
  const { migrationDirectories } = await readMigrations();
  const migrations = migrationDirectories.map(({ path, migrationFile: { content } }): MigrationText => {
    if (content.tag !== 'ok') throw new TypeError(`${path} cannot be read`);
    return { name: path, script: content.value };
  });
  const names = migrations.map(({ name }) => name);
  expect(names).toContain(FIRST_RELEASED);
  const problems = migrations
    .filter(({ name }) => name > FIRST_RELEASED)
    .flatMap((migration) =>
      problemsOfMigration(
        migration,
        names.filter((name) => name < migration.name),
      ),
    );
  expect(problems).toEqual([]);
});

describe('a migration for two versions at a time', () => {
  it.each([
    'CREATE TABLE "a" ("b" int NOT NULL); CREATE INDEX "i" ON "a" ("b"); UPDATE a SET b = 1;',
    'ALTER TABLE "client" ADD COLUMN     "b" TEXT;',
    `ALTER TABLE client ADD COLUMN b int NOT NULL DEFAULT 1, ADD COLUMN c text NOT NULL DEFAULT 'a;--';`,
    'CREATE INDEX CONCURRENTLY "i" ON "client" ("b");',
    '-- DROP TABLE client;\n/* DROP TABLE client; */ CREATE UNIQUE INDEX CONCURRENTLY i ON client (b)',
    'DROP INDEX CONCURRENTLY "i";',
    `CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ DROP TABLE client; UPDATE client SET b = 1; $$;`,
    'DROP TRIGGER "t" ON "client"; CREATE TRIGGER "t" AFTER UPDATE ON "client" EXECUTE FUNCTION f();',
    'ALTER TABLE client ADD CONSTRAINT c CHECK (b > 0) NOT VALID;',
    'ALTER TABLE client VALIDATE CONSTRAINT c;',
    'ALTER TABLE client ADD CONSTRAINT c UNIQUE USING INDEX i;',
    'ALTER TYPE "kind" ADD VALUE \'new\';',
    'ALTER TABLE client ALTER COLUMN b DROP NOT NULL;',
  ])('passes: %s', (script) => {
    expect(evaluate(script)).toEqual([]);
  });
});

const TAKING_AWAY = [
  'DROP TABLE client;',
  'DROP FUNCTION f();',
  'DROP TYPE kind;',
  'DROP TRIGGER t ON client;',
  'ALTER TABLE client DROP COLUMN b;',
  'ALTER TABLE "client" ADD COLUMN c int, DROP COLUMN "b";',
  'ALTER TABLE client DROP CONSTRAINT c;',
  'ALTER TABLE client RENAME COLUMN a TO b;',
  'ALTER TABLE client RENAME TO b;',
  "ALTER TYPE kind RENAME VALUE 'a' TO 'b';",
  'ALTER TABLE client ALTER COLUMN b SET NOT NULL;',
  'ALTER TABLE client ALTER COLUMN b TYPE bigint;',
  'ALTER TABLE client ALTER b SET DATA TYPE bigint;',
  'ALTER TABLE client ALTER COLUMN b DROP DEFAULT;',
];

describe('something that the previous version may use', () => {
  it.each(TAKING_AWAY)('is not dropped by an expansion: %s', (script) => {
    expect(evaluate(script)).toEqual([expect.stringContaining('the previous version')]);
  });

  it.each(TAKING_AWAY)('is dropped by a contract that names its expansion: %s', (script) => {
    expect(evaluate(`-- Contract of 20200101000000_old.\n${script}`, ['20200101000000_old'])).toEqual([]);
  });

  it('is not dropped by a contract of an unknown expansion', () => {
    const script = '-- Contract of 20200101000000_old.\nDROP TABLE client;';
    expect(evaluate(script)).toEqual([expect.stringContaining('no earlier migration')]);
  });
});

describe('statements that block other sessions', () => {
  it.each([
    'CREATE INDEX "i" ON "client" ("b");',
    'CREATE UNIQUE INDEX i ON ONLY client (b);',
    'CREATE INDEX CONCURRENTLY i ON client (b); CREATE TABLE a ();',
    'DROP INDEX CONCURRENTLY i; CREATE TABLE a ();',
    'DROP INDEX "i";',
    'UPDATE client SET b = 1;',
    'DELETE FROM client;',
    'TRUNCATE TABLE client;',
    'LOCK TABLE client;',
    'SET lock_timeout = 0;',
    'ALTER TABLE client ADD CONSTRAINT c CHECK (b > 0);',
    'ALTER TABLE client ADD CONSTRAINT c FOREIGN KEY (b) REFERENCES a (b);',
    'ALTER TABLE client ADD COLUMN b int NOT NULL;',
    'ALTER TABLE client ADD COLUMN b uuid DEFAULT gen_random_uuid();',
    'ALTER TABLE client ADD COLUMN b bigserial;',
    'ALTER TABLE client ADD COLUMN b int GENERATED ALWAYS AS (a + 1) STORED;',
    'ALTER TABLE client ADD COLUMN b text UNIQUE;',
  ])('is refused, of a contract too: %s', (script) => {
    const contract = `-- Contract of 20200101000000_old.\n${script}`;
    expect(evaluate(script)).not.toEqual([]);
    expect(evaluate(contract, ['20200101000000_old'])).not.toEqual([]);
  });
});
