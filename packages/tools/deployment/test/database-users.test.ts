import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@vestibule/database';
import { closers, startPostgres } from '@vestibule/local-services';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DOCKER_FOLDER } from '../src/repository.js';

const toEnd = closers();
let urlOf: (user: string) => string;

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-users-'));
  toEnd.add(() => rm(folder, { recursive: true, force: true }));
  const server = await startPostgres({ dataFolder: folder, durable: false });
  toEnd.add(server.stop);
  const page = await readFile(join(DOCKER_FOLDER, 'README.md'), 'utf8');
  const [, sql = ''] = /```sql\n([\s\S]*?)```/.exec(page) ?? [];
  const statements = sql.split(';').filter((text) => text.trim() !== '');
  for (const statement of statements)
    await query(server.url(/PRIVILEGES/.test(statement) ? 'vestibule' : 'postgres'), statement);
  urlOf = (username) =>
    Object.assign(new URL(server.url('vestibule')), { username, password: secretOf(sql, username) }).href;
  await migrate(urlOf('vestibule_owner'));
});

afterAll(() => toEnd.closeAll());

function secretOf(sql: string, user: string): string {
  return new RegExp(`ROLE ${user} LOGIN PASSWORD '(.*)'`).exec(sql)?.[1] ?? '';
}

it('the services can read and write every row and use the sequences', async () => {
  const rows = await query(
    urlOf('vestibule'),
    `SELECT relname, relkind = 'S' AS "isSequence",
        CASE relkind
          WHEN 'S' THEN has_sequence_privilege(oid, 'USAGE')
          ELSE has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
            AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE')
        END AS "isOpen"
      FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'S')`,
  );
  expect(rows.filter(({ isSequence }) => isSequence)).not.toEqual([]);
  expect(rows.filter(({ isSequence }) => !isSequence).length).toBeGreaterThan(15);
  expect(rows.filter(({ isOpen }) => !isOpen)).toEqual([]);
});

it('the services cannot change the schema', async () => {
  for (const statement of [
    'CREATE TABLE mine ()',
    'ALTER TABLE client ADD COLUMN mine text',
    'DROP TABLE audit_event',
    'ALTER TABLE audit_event DISABLE TRIGGER ALL',
    'TRUNCATE audit_event',
  ])
    await expect(query(urlOf('vestibule'), statement), statement).rejects.toThrow(
      /permission denied|must be owner/,
    );
});
