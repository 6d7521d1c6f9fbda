import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerTo } from './answer-to.js';
import { StatementTimeoutError } from './database-errors.js';
import { anEmptyDatabase } from './testing/test-database.js';

async function aClient(): Promise<pg.Client> {
  const client = new pg.Client(await anEmptyDatabase());
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

describe('answerTo', () => {
  it('gives up on a database that does not answer', async () => {
    const answer = answerTo(await aClient(), new pg.Query('SELECT pg_sleep(1)', []), 50);
    await expect(answer).rejects.toThrow(StatementTimeoutError);
  });

  it('gives what the database answers, errors too', async () => {
    const client = await aClient();
    expect((await answerTo(client, new pg.Query('SELECT 1 AS one', []), 5_000)).rows).toEqual([{ one: 1 }]);
    const failing = answerTo(client, new pg.Query('SELECT 1 / 0', []), 5_000);
    await expect(failing).rejects.toMatchObject({ code: '22012' });
  });
});
