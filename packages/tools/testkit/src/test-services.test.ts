import { migrationStatus } from '@vestibule/database';
import { sendRedisCommand } from '@vestibule/local-services';
import { expect, it } from 'vitest';
import { createTestDatabase, testRedisUrl } from './test-services.js';

it('gives each test a separate, migrated database', async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  expect(one.url).not.toBe(other.url);
  for (const database of [one, other]) {
    const nothing = { pending: [], failed: [], edited: [], unknown: [] };
    expect(await migrationStatus(database.url)).toEqual(nothing);
    await database.drop();
  }
});

it('gives each test a separate Redis database', async () => {
  const [one, other] = await Promise.all([testRedisUrl(), testRedisUrl()]);
  expect(one).not.toBe(other);
  expect(await sendRedisCommand(one, 'PING')).toBe('+PONG');
});
