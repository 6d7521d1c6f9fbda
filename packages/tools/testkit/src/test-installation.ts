import { randomBytes } from 'node:crypto';
import { secureRandom } from '@vestibule/crypto';
import { parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { openStore, type StoreOptions } from '@vestibule/database';
import { type Clock, systemClock } from '@vestibule/protocol';
import { createTestDatabase, type TestDatabase } from './test-services.js';

/** The key pairs that the services of an installation create when they first start. */
export type InstalledKeyPairs = Pick<
  StoreOptions,
  'signingAlgorithms' | 'federationAlgorithms' | 'encryptionAlgorithms'
>;

/** A database of one test at which a service has started before. */
export interface TestInstallation extends TestDatabase {
  /** `ENCRYPTION_KEYS` of its services: a secret. */
  readonly encryptionKeys: string;
}

/** Rows of a table as JSON. */
type JsonRows = readonly Readonly<Record<string, unknown>>[];

/** The keys of an installation, as they are stored. */
interface StoredKeys {
  readonly encryptionKeys: string;
  readonly dataKeys: JsonRows;
  readonly keyPairs: JsonRows;
}

/** What this process has created, by the key pairs. */
const created = new Map<string, Promise<StoredKeys>>();

/**
 * A migrated PostgreSQL database for this test only, with the data keys and key pairs that a service creates at its first
 * start, and nothing else. A store creates them once in each process, because generating them, and storing them through
 * Prisma Client, takes longer than most tests. Tests with the same key pairs share them.
 * @param clock the clock of the service, for the times of the keys
 */
export async function createTestInstallation(
  keyPairs: InstalledKeyPairs = {},
  clock: Clock = systemClock,
): Promise<TestInstallation> {
  const name = JSON.stringify(Object.entries(keyPairs).toSorted());
  const stored = await storedKeys(name, keyPairs);
  const database = await createTestDatabase();
  const time = new Date(clock.nowMs()).toISOString();
  const asOfNow = (rows: JsonRows) =>
    JSON.stringify(rows.map((row) => ({ ...row, created_at: time, activated_at: time })));
  try {
    await database.sql(STORE, [asOfNow(stored.dataKeys), asOfNow(stored.keyPairs)]);
  } catch (error) {
    await database.drop();
    throw error;
  }
  return { ...database, encryptionKeys: stored.encryptionKeys };
}

/** The keys that this process has created. Those that could not be created are tried again by the next test. */
function storedKeys(name: string, keyPairs: InstalledKeyPairs): Promise<StoredKeys> {
  const existing = created.get(name);
  if (existing !== undefined) return existing;
  const creating = createKeys(keyPairs);
  created.set(name, creating);
  creating.catch(() => created.delete(name));
  return creating;
}

const STORE = `
  WITH stored AS (INSERT INTO data_key SELECT * FROM json_populate_recordset(NULL::data_key, $1))
  INSERT INTO signing_key SELECT * FROM json_populate_recordset(NULL::signing_key, $2)`;

const READ = `
  SELECT (SELECT coalesce(json_agg(data_key), '[]') FROM data_key) AS data_keys,
    (SELECT coalesce(json_agg(signing_key), '[]') FROM signing_key) AS key_pairs`;

async function createKeys(keyPairs: InstalledKeyPairs): Promise<StoredKeys> {
  const database = await createTestDatabase();
  try {
    const encryptionKeys = randomBytes(32).toString('base64url');
    const store = openStore({
      connection: { url: database.url, poolSize: 1 },
      keyEncryptionKeys: parseKeyEncryptionKeys(encryptionKeys),
      clock: systemClock,
      random: secureRandom,
      ...keyPairs,
      onProblem: (error) => {
        throw error;
      },
    });
    await store.opened.finally(store.close);
    const [row] = await database.sql(READ);
    return {
      encryptionKeys,
      dataKeys: row?.['data_keys'] as JsonRows,
      keyPairs: row?.['key_pairs'] as JsonRows,
    };
  } finally {
    await database.drop();
  }
}
