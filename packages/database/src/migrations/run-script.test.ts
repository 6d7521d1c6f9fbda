import { DriverAdapterError } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { anEmptyDatabase, holdingLock, query } from '../testing/test-database.js';
import { runScript } from './run-script.js';

const PATIENCE = { lockTimeoutMs: 20, patienceMs: 20_000, pauseMs: 1 };
const HOLD = 'LOCK TABLE thing IN ACCESS SHARE MODE';

/** A table, and the connection of the migration. */
async function aTable() {
  const url = await anEmptyDatabase();
  await query(url, 'CREATE TABLE thing (name text); INSERT INTO thing VALUES (1), (1)');
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  const sent: string[] = [];
  const send = (script: string) => {
    sent.push(script);
    return client.query(script);
  };
  return { url, send, sent };
}

it('waits only briefly for a lock, and retries until it is free', async () => {
  const { url, send, sent } = await aTable();
  const script = 'CREATE TABLE other (); ALTER TABLE thing ADD COLUMN more text;';
  const { running } = await holdingLock(url, HOLD, async () => {
    const promise = runScript(send, script, { patience: PATIENCE });
    await expect.poll(() => sent.filter((each) => each === script).length).toBeGreaterThan(2);
    // Other sessions do not wait long behind it.
    await query(url, 'SELECT name FROM thing');
    return { running: promise };
  });
  await running;
  expect(await query(url, `SELECT FROM pg_tables WHERE tablename = 'other'`)).toHaveLength(1);
});

it('fails without effect when the lock never becomes free', async () => {
  const { url, send } = await aTable();
  const refused: string[] = [];
  const options = { patience: { ...PATIENCE, patienceMs: 50 }, onRefused: () => void refused.push('once') };
  await holdingLock(url, HOLD, async () => {
    const script = 'CREATE TABLE other (); ALTER TABLE thing ADD COLUMN more text;';
    await expect(runScript(send, script, options)).rejects.toThrow(DriverAdapterError);
  });
  expect(refused).toEqual(['once']);
  expect(await query(url, `SELECT FROM pg_tables WHERE tablename = 'other'`)).toEqual([]);
});

it('creates an index without blocking readers and writers, and leaves no invalid index', async () => {
  const { url, send } = await aTable();
  const indexes = () => query(url, `SELECT FROM pg_indexes WHERE tablename = 'thing'`);
  const unique = '-- Fails: not unique.\nCREATE UNIQUE INDEX CONCURRENTLY "thing_idx" ON "thing" ("name");';
  await expect(runScript(send, unique)).rejects.toThrow(DriverAdapterError);
  expect(await indexes()).toEqual([]);
  await runScript(send, unique.replace('UNIQUE ', ''));
  expect(await indexes()).toHaveLength(1);
  await runScript(send, 'DROP INDEX CONCURRENTLY "thing_idx";');
  expect(await indexes()).toEqual([]);
});
