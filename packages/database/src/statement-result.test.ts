import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StatementTimeoutError } from './database-errors.js';
import { resultWithin } from './statement.js';
import { anEmptyDatabase } from './testing/test-database.js';

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
