import { randomBytes } from 'node:crypto';
import { createDatabase, dropDatabase } from '@vestibule/local-services';
import { expect, inject, it, onTestFinished, vi } from 'vitest';
import { vestibule } from '../support/vestibule.js';

const HOUR_MS = 3_600_000;

/** Runs commands on an empty installation, on machines with wrong clocks. */
async function anInstallation() {
  const { postgresUrl } = inject('services');
  const name = `cli_clock_${randomBytes(6).toString('hex')}`;
  await createDatabase({ url: postgresUrl, name });
  onTestFinished(() => dropDatabase(postgresUrl, name));
  const environment = {
    DATABASE_URL: Object.assign(new URL(postgresUrl), { pathname: name }).href,
    ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
  };
  expect(await vestibule(['db', 'migrate'], { environment })).toMatchObject({ code: 0 });
  return async (offMs: number, ...words: string[]) => {
    const now = Date.now.bind(Date);
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + offMs);
    try {
      return await vestibule([...words, '--json'], { environment });
    } finally {
      clock.mockRestore();
    }
  };
}

it('dates data keys by the time of the store, and activates none before every process knows it', async () => {
  const on = await anInstallation();
  for (const ring of ['seal', 'digest']) {
    const made = await on(-HOUR_MS, 'keys', 'generate', ring);
    const { id, created_at: createdAt } = JSON.parse(made.stdout);
    expect(Math.abs(createdAt - Date.now() / 1000)).toBeLessThan(60);
    for (const offMs of [0, HOUR_MS])
      expect(await on(offMs, 'keys', 'activate', id)).toMatchObject({
        code: 4,
        stderr: expect.stringContaining('too new'),
      });
  }
  // Includes the keys that the first command created.
  const listed: readonly { created_at: number }[] = JSON.parse((await on(0, 'keys', 'list')).stdout);
  expect(listed).toHaveLength(4);
  for (const { created_at: createdAt } of listed)
    expect(Math.abs(createdAt - Date.now() / 1000)).toBeLessThan(60);
});
