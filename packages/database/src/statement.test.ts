import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectionCheckout } from './connection-checkout.js';
import { connectionPool } from './connection-pool.js';
import { StatementTimeoutError } from './database-errors.js';
import { queryRunner, resultWithin, type Statement, statementRunner } from './statement.js';
import { systemTime } from './system-time.js';
import { anEmptyDatabase, query } from './testing/test-database.js';

const ADD: Statement = {
  name: 'test-add',
  text: 'INSERT INTO thing (amount) VALUES ($1) RETURNING amount',
  repeatable: false,
};
const ADDED = { rows: [{ amount: 1 }], rowCount: 1 };

/** Runs statements on a table over one connection, which is replaced when it was discarded. */
async function aRunner() {
  const url = await anEmptyDatabase();
  await query(url, 'CREATE TABLE thing (amount int)');
  const pool = connectionPool({ url, poolSize: 1 });
  onTestFinished(() => pool.end());
  const run = statementRunner(queryRunner(connectionCheckout(pool, { poolSize: 1 }), 4_000));
  const process = async () => {
    const { rows } = await run<{ pid: number }>(plain('SELECT pg_backend_pid() AS pid'), []);
    return rows[0]?.pid;
  };
  return { url, run, process };
}

function plain(text: string): Statement {
  return { name: `test: ${text}`, text, repeatable: false };
}

describe('statementRunner', () => {
  it('runs a statement whose prepared statement was deallocated', async () => {
    const { run, process } = await aRunner();
    await run(ADD, [1]);
    const before = await process();
    await run(plain('DEALLOCATE ALL'), []);
    expect(await run(ADD, [1])).toEqual(ADDED);
    expect(await process()).not.toBe(before);
    expect(await run(ADD, [1])).toEqual(ADDED);
  });

  it('runs a statement whose name is taken by another prepared statement', async () => {
    const { run } = await aRunner();
    await run(plain(`PREPARE "${ADD.name}" AS SELECT 1`), []);
    expect(await run(ADD, [1])).toEqual(ADDED);
  });

  it('runs a statement whose columns have changed their type', async () => {
    const { url, run } = await aRunner();
    await run(ADD, [1]);
    await query(url, 'ALTER TABLE thing ALTER amount TYPE smallint');
    expect(await run(ADD, [1])).toEqual(ADDED);
    expect(await query(url, 'SELECT amount FROM thing')).toHaveLength(2);
  });

  it('repeats a read during which the machine was paused, but returns the result of a change without repeating it', async () => {
    const { run } = await aRunner();
    await run(ADD, [1]);
    let jumps = 0;
    const pausing = vi.spyOn(systemTime, 'jumps').mockImplementation(() => {
      jumps += 1;
      // Between the beginning and the end of the first statement, and never again.
      return jumps === 1 ? 0 : 1;
    });
    onTestFinished(() => pausing.mockRestore());
    const take: Statement = {
      name: 'test-take',
      text: 'DELETE FROM thing RETURNING amount',
      repeatable: true,
    };
    expect(await run(take, [])).toEqual(ADDED);
    jumps = 0;
    const reads: Statement = { ...plain('SELECT amount FROM thing'), repeatable: true };
    expect(await run(reads, [])).toEqual({ rows: [], rowCount: 0 });
    expect(jumps).toBe(4);
  });

  it('keeps a connection with its prepared statements when the database rejects a statement', async () => {
    const { run, process } = await aRunner();
    const before = await process();
    await expect(run(plain('SELECT 1 / 0'), [])).rejects.toMatchObject({ code: '22012' });
    expect(await process()).toBe(before);
  });
});

async function aClient(): Promise<pg.Client> {
  const client = new pg.Client(await anEmptyDatabase());
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

describe('resultWithin', () => {
  it('times out when a database does not respond', async () => {
    const response = resultWithin(await aClient(), new pg.Query('SELECT pg_sleep(1)', []), 50);
    await expect(response).rejects.toThrow(StatementTimeoutError);
  });

  it('does not take a stall of this process for one of the database', async () => {
    const response = resultWithin(await aClient(), new pg.Query('SELECT 1 AS one', []), 100);
    // The query is sent, and its result is not read yet.
    await new Promise(setImmediate);
    const busyUntilMs = performance.now() + 400;
    while (performance.now() < busyUntilMs);
    expect((await response).rows).toEqual([{ one: 1 }]);
  });

  it('returns the result of the database, or its error', async () => {
    const client = await aClient();
    expect((await resultWithin(client, new pg.Query('SELECT 1 AS one', []), 5_000)).rows).toEqual([
      { one: 1 },
    ]);
    const failing = resultWithin(client, new pg.Query('SELECT 1 / 0', []), 5_000);
    await expect(failing).rejects.toMatchObject({ code: '22012' });
  });
});
