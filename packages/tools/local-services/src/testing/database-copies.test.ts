import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PostgresServer, startPostgres } from '../postgres-server.js';
import { type DatabaseTemplate, lendDatabase } from './database-copies.js';

let dataFolder: string;
let server: PostgresServer;
let template: DatabaseTemplate;

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'vestibule-copies-'));
  server = await startPostgres({ dataFolder, durable: false });
  await server.createDatabase('pattern');
  await query(
    server.url('pattern'),
    'CREATE TABLE history AS SELECT 1 AS version; CREATE TABLE thing (name text); CREATE TABLE part (name text)',
  );
  template = { server: server.url('postgres'), name: 'pattern', filled: ['history'] };
});

afterAll(async () => {
  await server.stop();
  await rm(dataFolder, { recursive: true, force: true });
});

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

it('lends a copy to one borrower at a time', async () => {
  const [one, other] = await Promise.all([lendDatabase(template), lendDatabase(template)]);
  expect(one.url).not.toBe(other.url);
  await Promise.all([one.giveBack(), other.giveBack()]);
});

it('lends a returned copy again, with the rows of the template only and without its connections', async () => {
  const first = await lendDatabase(template);
  const client = new pg.Client(first.url);
  const ended = new Promise((resolve) => client.on('error', resolve));
  await client.connect();
  await client.query(`INSERT INTO thing VALUES ('left')`);
  await first.giveBack();
  expect(String(await ended)).toMatch(/terminat/);
  const second = await lendDatabase(template);
  expect(second.url).toBe(first.url);
  expect(await query(second.url, 'SELECT FROM thing')).toEqual([]);
  expect(await query(second.url, 'SELECT version FROM history')).toEqual([{ version: 1 }]);
  await second.giveBack();
});

it('never lends a copy again whose schema was changed, or that grew large', async () => {
  for (const change of [
    'CREATE TABLE added ()',
    'ALTER TABLE thing DROP COLUMN name',
    'ALTER TABLE thing RENAME TO another',
    'ALTER TABLE thing RENAME COLUMN name TO label',
    'CREATE FUNCTION added() RETURNS integer LANGUAGE sql RETURN 1',
    'CREATE TABLE other AS TABLE thing; DROP TABLE thing; ALTER TABLE other RENAME TO thing',
    `INSERT INTO thing SELECT repeat(md5(n::text), 20) FROM generate_series(1, 20000) AS n`,
  ]) {
    const spoilt = await lendDatabase(template);
    await query(spoilt.url, change);
    await spoilt.giveBack();
    const next = await lendDatabase(template);
    expect(next.url, change).not.toBe(spoilt.url);
    await expect(query(spoilt.url, 'SELECT 1'), change).rejects.toThrow(/does not exist/);
    await next.giveBack();
  }
});
