import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EVERY_STATEMENT } from '../every-statement.js';
import { packageFolder } from '../package-folder.js';
import { aMigratedDatabase, anEmptyDatabase, query } from '../testing/test-database.js';
import { migrate } from './migrate.js';
import { problemsOfRelease, type ReleaseRecord, recordRelease } from './release-record.js';

const FOLDER = packageFolder();
const RELEASE: ReleaseRecord = JSON.parse(readFileSync(join(FOLDER, 'release-record.json'), 'utf8'));

/** Statements that use no table of the schema. */
const WITHOUT_TABLES = ['applied-migrations', 'now', 'ping', 'server-state'];

it('prepares and plans every statement of the last release on the schema of this version, with the same types', async () => {
  expect(await problemsOfRelease(await aMigratedDatabase(), RELEASE)).toEqual([]);
});

it('has the record of the last release, whose version the package still has', () => {
  const { version } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'));
  expect(RELEASE.version).toBe(version);
});

it('records every statement of the package', () => {
  const sources = readdirSync(join(FOLDER, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('generated'))
    .map((path) => readFileSync(join(FOLDER, 'src', path), 'utf8'));
  const names = sources.flatMap((text) =>
    [...text.matchAll(/\bname: '([a-z]+(?:-[a-z]+)*)',\s+text\b/g)].map(([, name = '']) => name),
  );
  const recorded = new Set([...EVERY_STATEMENT.map(({ name }) => name), ...WITHOUT_TABLES]);
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => !recorded.has(name))).toEqual([]);
});

/** The problems of this version after changes of its own schema. */
async function problemsAfter(...changes: readonly string[]): Promise<readonly string[]> {
  const url = await anEmptyDatabase();
  await migrate(url);
  const record = await recordRelease(url, 'this');
  for (const change of changes) await query(url, change);
  return problemsOfRelease(url, record);
}

it('finds what a release cannot do after a change of the schema, whether it reads or writes', async () => {
  const problems = await problemsAfter(
    'ALTER TABLE statement_purge DROP COLUMN purged_at',
    'ALTER TABLE denied_entity DROP CONSTRAINT denied_entity_pkey',
    'ALTER TABLE signing_key ALTER algorithm TYPE varchar(20)',
    'DROP FUNCTION vestibule_has_room_for_open_client(integer, bytea[])',
    'ALTER TABLE client ADD COLUMN region text NOT NULL',
    'ALTER TABLE access_token ALTER COLUMN username SET NOT NULL',
  );
  for (const problem of [
    /^statement-purge fails: column "purged_at"/,
    /^denied-entity-add fails: .* ON CONFLICT/,
    /^signing-key-list returns /,
    /^prisma-select-signing_key returns /,
    /^client-has-room fails: function /,
    /^client\.region needs a value$/,
    /^access_token\.username needs a value$/,
  ])
    expect(problems).toContainEqual(expect.stringMatching(problem));
});

it('finds no problem in tables, columns and indexes that are added', async () => {
  const problems = await problemsAfter(
    'CREATE TABLE region (name text NOT NULL)',
    'ALTER TABLE client ADD COLUMN region text',
    "ALTER TABLE client ADD COLUMN zone text NOT NULL DEFAULT ''",
    'CREATE INDEX client_region_idx ON client (region)',
  );
  expect(problems).toEqual([]);
});
