import type { KeyObject } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Clock, type RandomSource, sharedRuns } from '@vestibule/protocol';
import { createDataKey, currentDataKey, unwrapDataKey } from './data-key.js';
import type { DataKeyPurpose, DataKeyStore, WrappedDataKey } from './data-key-store.js';
import { DecryptionError } from './decryption-error.js';
import { deriveKey } from './derive-key.js';
import type { Digester } from './digester.js';
import { type DataEncryptionKey, encryptText, keyIdOfRecord, openRecord } from './encrypted-record.js';
import type { Encryptor } from './encryptor.js';
import { type DigestKeys, hmacDigester } from './hmac-digester.js';
import { KeyEncryptionError, type KeyEncryptionKeys } from './key-encryption-keys.js';
import { type UnopenedDataKey, UnopenedDataKeysError } from './unopened-data-keys.js';

/** How often a process reads the keys again, so that it knows every key before it is used. */
export const KEY_REFRESH_INTERVAL_MS = 30_000;

/** What the keys for data at rest are made of. */
export interface DataKeyDependencies {
  readonly store: DataKeyStore;
  readonly keyEncryptionKeys: KeyEncryptionKeys;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** The keys for data at rest, opened and held in memory. */
export interface DataKeys {
  readonly encryptor: Encryptor;
  readonly digester: Digester;
  /** The id of the key that encrypts now, which records that were encrypted earlier need not be under. */
  currentDataEncryptionKeyId(): string;
  /** Whether a record is encrypted under the key that encrypts now; any other record is due for encrypting anew. */
  isEncryptedUnderCurrentKey(record: string): boolean;
  /**
   * Reads the keys again; to be called at least every `KEY_REFRESH_INTERVAL_MS`. Parallel calls share a reading, which
   * begins after they were made. A key that cannot be opened is known as such, and the others are held. While it is one
   * to write under, what is written goes under the key of before, which everyone else reads.
   * @throws UnopenedDataKeysError when that key of before is retired or gone; the keys held so far stay in use, as they
   *   do when the store or a key service fails.
   */
  refresh(): Promise<void>;
  /** The stored keys that the last reading could not open, in the store's order. */
  unopened(): readonly UnopenedDataKey[];
  /** How often a reading has found other keys for digests than the one before. */
  digestKeyChanges(): number;
}

/**
 * Opens the data keys, and creates the first ones where there are none; any number of processes may start at once.
 * @throws UnopenedDataKeysError when a stored key is not wrapped under any of the key-encryption keys.
 */
export async function openDataKeys(dependencies: DataKeyDependencies): Promise<DataKeys> {
  await createFirstKeys(dependencies);
  let keys = await readKeys(dependencies);
  if (keys.unopened.length > 0) throw new UnopenedDataKeysError(keys.unopened);
  let digestKeyChanges = 0;
  const readings = sharedRuns(async () => {
    const { digestKeyIds } = keys;
    keys = await readKeys(dependencies, keys);
    if (!isDeepStrictEqual(keys.digestKeyIds, digestKeyIds)) digestKeyChanges += 1;
  });
  const unknownDataEncryptionKey = async (id: string): Promise<KeyObject> => {
    await readings.next();
    const key = keys.dataEncryptionKeys.get(id);
    if (key !== undefined) return key;
    const isUnopened = keys.unopened.some((unopened) => unopened.id === id);
    throw isUnopened
      ? new UnopenedDataKeysError(keys.unopened)
      : new DecryptionError('record names an unknown key');
  };
  return {
    encryptor: {
      encrypt: async (plaintext, place) =>
        encryptText(keys.currentDataEncryptionKey, plaintext, place, dependencies.random),
      open: async (record, place) => {
        const id = keyIdOfRecord(record);
        const key = keys.dataEncryptionKeys.get(id) ?? (await unknownDataEncryptionKey(id));
        return openRecord({ id, key }, record, place);
      },
    },
    digester: { ...hmacDigester(() => keys.digestKeys), hasEveryKey: () => keys.hasEveryDigestKey },
    currentDataEncryptionKeyId: () => keys.currentDataEncryptionKey.id,
    isEncryptedUnderCurrentKey: (record) => keyIdOfRecord(record) === keys.currentDataEncryptionKey.id,
    refresh: readings.next,
    unopened: () => keys.unopened,
    digestKeyChanges: () => digestKeyChanges,
  };
}

/** The data keys in memory, as of one reading. */
interface OpenedKeys {
  /** Every unwrapped key by id, so that a later reading need not unwrap it again. */
  readonly secrets: ReadonlyMap<string, Uint8Array>;
  readonly dataEncryptionKeys: ReadonlyMap<string, KeyObject>;
  readonly currentDataEncryptionKey: DataEncryptionKey;
  readonly digestKeys: DigestKeys;
  /** In their order. */
  readonly digestKeyIds: readonly string[];
  /** Whether no key is missing that look-ups go by. */
  readonly hasEveryDigestKey: boolean;
  readonly unopened: readonly UnopenedDataKey[];
}

async function createFirstKeys(dependencies: DataKeyDependencies): Promise<void> {
  const stored = await dependencies.store.list();
  const purposes: readonly DataKeyPurpose[] = ['seal', 'digest'];
  for (const purpose of purposes) {
    const exists = stored.some((key) => key.purpose === purpose && key.state === 'active');
    if (!exists) await dependencies.store.insertFirst(await createDataKey(dependencies, purpose, 'active'));
  }
}

/** @throws UnopenedDataKeysError when neither the key to write under nor the one of before can be opened. */
async function readKeys(
  { store, keyEncryptionKeys }: DataKeyDependencies,
  before?: OpenedKeys,
): Promise<OpenedKeys> {
  const stored = await store.list();
  const secretOf = (key: WrappedDataKey) =>
    before?.secrets.get(key.id) ?? openedSecret(keyEncryptionKeys, key);
  const read = await Promise.all(stored.map(async (key) => ({ ...key, secret: await secretOf(key) })));
  const opened = read.flatMap(({ secret, ...key }) => (secret === undefined ? [] : [{ ...key, secret }]));
  const unopened = read.flatMap(({ secret, id, purpose, state }) =>
    secret === undefined ? [{ id, purpose, state }] : [],
  );
  const keyToWriteUnder = (keys: typeof opened, purpose: DataKeyPurpose, idBefore: string | undefined) => {
    const { id } = currentDataKey(stored.filter((key) => key.purpose === purpose));
    const key = keys.find((one) => one.id === id) ?? keys.find((one) => one.id === idBefore);
    if (key === undefined) throw new UnopenedDataKeysError(unopened);
    return key;
  };
  const dataEncryptionKeys = opened.filter(({ purpose }) => purpose === 'seal');
  const digestKeys = opened.filter(isForLookUps);
  const currentEncryption = keyToWriteUnder(dataEncryptionKeys, 'seal', before?.currentDataEncryptionKey.id);
  const currentDigest = keyToWriteUnder(digestKeys, 'digest', before?.digestKeyIds[0]);
  const otherDigests = digestKeys.filter((key) => key !== currentDigest);
  return {
    secrets: new Map(opened.map(({ id, secret }) => [id, secret])),
    dataEncryptionKeys: new Map(dataEncryptionKeys.map(({ id, secret }) => [id, deriveKey(secret, 'seal')])),
    currentDataEncryptionKey: { id: currentEncryption.id, key: deriveKey(currentEncryption.secret, 'seal') },
    digestKeys: [
      deriveKey(currentDigest.secret, 'digest'),
      ...otherDigests.map(({ secret }) => deriveKey(secret, 'digest')),
    ],
    digestKeyIds: [currentDigest, ...otherDigests].map(({ id }) => id),
    hasEveryDigestKey: !unopened.some(isForLookUps),
    unopened,
  };
}

/** The bytes of a data key; `undefined` when it is not wrapped under any of the key-encryption keys. */
async function openedSecret(
  keyEncryptionKeys: KeyEncryptionKeys,
  key: WrappedDataKey,
): Promise<Uint8Array | undefined> {
  try {
    return await unwrapDataKey(keyEncryptionKeys, key);
  } catch (error) {
    if (error instanceof KeyEncryptionError) return undefined;
    throw error;
  }
}

/** Whether look-ups go by a key: it digests, and is not retired. */
function isForLookUps({ purpose, state }: UnopenedDataKey): boolean {
  return purpose === 'digest' && state !== 'retired';
}
