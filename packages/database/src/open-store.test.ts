import { randomBytes } from 'node:crypto';
import { secureRandom } from '@vestibule/crypto';
import {
  addDataKey,
  KEY_REFRESH_INTERVAL_MS,
  KeyEncryptionError,
  parseKeyEncryptionKeys,
  UnopenedDataKeysError,
} from '@vestibule/crypto/data-keys';
import { olderServer } from '@vestibule/local-services/testing';
import { OutdatedServerError, systemClock } from '@vestibule/protocol';
import { expect, it, onTestFinished, vi } from 'vitest';
import { migrate } from './migrations/migrate.js';
import { requiredMigrations, SchemaTooOldError } from './migrations/required-schema.js';
import { openStore, type Store, StoreNotOpenError } from './open-store.js';
import {
  aMigratedDatabase,
  anEmptyDatabase,
  holdingLock,
  query,
  untilWaiting,
} from './testing/test-database.js';

const ASSOCIATED_DATA = { table: 'client', column: 'secret_sealed', row: 'c1' };

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

it('fails at once with encryption keys that are not those of the database', async () => {
  const url = await aMigratedDatabase();
  await openOver(url).store.opened;
  const { store, problems } = openOver(url);
  await expect(store.opened).rejects.toThrow(KeyEncryptionError);
  await expect(store.check()).rejects.toThrow(StoreNotOpenError);
  expect(problems).toEqual([expect.any(KeyEncryptionError)]);
});

it('continues when a data key is added that it cannot open, reports it once, and re-encrypts nothing', async () => {
  const url = await aMigratedDatabase();
  const { store, problems } = openOver(url);
  await store.opened;
  const encrypted = await store.encryptor.encrypt('x', ASSOCIATED_DATA);
  const { id, purpose, state } = await addDataKey(
    {
      store: store.database.dataKeys,
      keyEncryptionKeys: parseKeyEncryptionKeys(randomBytes(32).toString('base64url')),
      clock: systemClock,
      random: secureRandom,
    },
    'digest',
  );
  for (let round = 0; round < 2; round += 1) expect(await store.refreshDigestKeys()).toBe(0);
  await store.check();
  expect(await store.encryptor.open(encrypted, ASSOCIATED_DATA)).toBe('x');
  expect(store.unopenedDataKeys()).toEqual([{ id, purpose, state }]);
  expect(problems).toEqual([expect.objectContaining({ keys: store.unopenedDataKeys() })]);
  await expect(store.reencrypt()).rejects.toThrow(UnopenedDataKeysError);
  await query(url, 'DELETE FROM data_key WHERE id = $1', [id]);
  await store.refreshDigestKeys();
  expect([store.unopenedDataKeys(), problems.length]).toEqual([[], 1]);
});

it('reports no problem when it is closed while it reads its keys again', async () => {
  const url = await aMigratedDatabase();
  const intervals = vi.spyOn(globalThis, 'setInterval');
  onTestFinished(() => void intervals.mockRestore());
  const { store, problems } = openOver(url);
  await store.opened;
  const [readAgain] = intervals.mock.calls.find(([, ms]) => ms === KEY_REFRESH_INTERVAL_MS) ?? [];
  const { closed } = await holdingLock(url, 'LOCK signing_key', async () => {
    readAgain?.();
    await untilWaiting(url);
    return { closed: store.close() };
  });
  await closed;
  expect(problems).toEqual([]);
});

it('opens the keys of the federation entity only on request, separate from those of the provider', async () => {
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

it('waits for a database without migrations, and opens when it is migrated', async () => {
  const url = await anEmptyDatabase();
  const { store, problems } = openOver(url);
  await expect.poll(() => problems).toEqual([expect.any(SchemaTooOldError)]);
  await expect(store.check()).rejects.toThrow(StoreNotOpenError);
  expect(problems).toEqual([expect.objectContaining({ missing: await requiredMigrations() })]);
  await migrate(url);
  await store.opened;
  await store.check();
});

it('reads the files of the migrations once in a process', async () => {
  expect(await requiredMigrations()).toBe(await requiredMigrations());
});

it('waits for missing migrations, even for one that was rolled back, and accepts a newer schema', async () => {
  const url = await aMigratedDatabase();
  const last = (await requiredMigrations()).at(-1);
  await query(url, 'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = $1', [last]);
  const { store, problems } = openOver(url);
  await expect.poll(() => problems).toEqual([expect.objectContaining({ missing: [last] })]);
  await expect(store.check()).rejects.toThrow(StoreNotOpenError);
  await query(
    url,
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ('newer', '', '20990101000000_newer', now(), 1)`,
  );
  await query(url, 'UPDATE _prisma_migrations SET rolled_back_at = NULL');
  await store.opened;
  await query(url, `DELETE FROM _prisma_migrations WHERE id = 'newer'`);
});

it('refuses a server before PostgreSQL 14, with its version and the oldest supported one', async () => {
  const url = await aMigratedDatabase();
  const older = await olderServer(url, '13');
  onTestFinished(older.close);
  const refusal = /^PostgreSQL 13\.\d+ is too old: version 14 or newer is needed$/;
  const { store, problems } = openOver(older.url);
  await vi.waitUntil(() => problems.length > 0, 60_000);
  expect(problems[0]).toBeInstanceOf(OutdatedServerError);
  expect(String(problems[0])).toMatch(new RegExp(refusal.source.replace('^', '^OutdatedServerError: ')));
  await expect(store.check()).rejects.toThrow(StoreNotOpenError);
  await expect(store.database.ping()).rejects.toThrow(refusal);
  await expect(migrate(older.url)).rejects.toThrow(refusal);
});

it('accepts the oldest supported server', async () => {
  const older = await olderServer(await aMigratedDatabase(), '14');
  onTestFinished(older.close);
  const { store } = openOver(older.url);
  await store.opened;
  await store.check();
});
