import { randomBytes } from 'node:crypto';
import { KeyEncryptionError, parseKeyEncryptionKeys, secureRandom } from '@vestibule/crypto';
import { systemClock } from '@vestibule/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { openStore, type Store, StoreNotOpenError } from './open-store.js';
import { aMigratedDatabase } from './testing/test-database.js';

function openOver(url: string): { store: Store; problems: unknown[] } {
  const problems: unknown[] = [];
  const store = openStore({
    connection: { url, poolSize: 2, applicationName: 'test', onConnectionError: () => undefined },
    keyEncryptionKeys: parseKeyEncryptionKeys(randomBytes(32).toString('base64url')),
    clock: systemClock,
    random: secureRandom,
    onProblem: (error) => problems.push(error),
  });
  onTestFinished(() => store.close());
  return { store, problems };
}

it('gives up at once, and never becomes usable, with keys that are not those of the database', async () => {
  const url = await aMigratedDatabase();
  await openOver(url).store.opened;
  const { store, problems } = openOver(url);
  await expect(store.opened).rejects.toThrow(KeyEncryptionError);
  await expect(store.check()).rejects.toThrow(StoreNotOpenError);
  expect(problems).toEqual([expect.any(KeyEncryptionError)]);
});
