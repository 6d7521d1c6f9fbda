import { randomBytes } from 'node:crypto';
import { KeyEncryptionError, parseKeyEncryptionKeys, secureRandom } from '@vestibule/crypto';
import { systemClock } from '@vestibule/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { openStore, type Store, StoreNotOpenError } from './open-store.js';
import { aMigratedDatabase } from './testing/test-database.js';

interface Opening {
  readonly keys?: string;
  readonly federationAlgorithms?: readonly ['RS256'];
}

function openOver(
  url: string,
  { keys = randomBytes(32).toString('base64url'), ...options }: Opening = {},
): { store: Store; problems: unknown[] } {
  const problems: unknown[] = [];
  const store = openStore({
    connection: { url, poolSize: 2, applicationName: 'test', onConnectionError: () => undefined },
    keyEncryptionKeys: parseKeyEncryptionKeys(keys),
    clock: systemClock,
    random: secureRandom,
    onProblem: (error) => problems.push(error),
    ...options,
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

it('opens the keys of the federation entity for those alone who ask for them, apart from those of the provider', async () => {
  const url = await aMigratedDatabase();
  const keys = randomBytes(32).toString('base64url');
  const { store } = openOver(url, { keys, federationAlgorithms: ['RS256'] });
  await store.opened;
  const { kid } = store.federationKeys.signingKey('RS256');
  expect(store.federationKeys.publicJwks().keys).toMatchObject([{ kid, alg: 'RS256' }]);
  expect(store.providerKeys.publicJwks().keys).toEqual([]);
  const { store: other } = openOver(url, { keys });
  await other.opened;
  expect(() => other.federationKeys.signingKey('RS256')).toThrow(TypeError);
  expect(other.providerKeys.publicJwks().keys).toEqual([]);
});
