import type { KeyObject } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Clock, coalescedRuns, type RandomSource } from '@vestibule/protocol';
import { DecryptionError } from '../jwt/decryption-error.js';
import { createDataKey, currentDataKey, unwrapDataKey } from './data-key.js';
import type { DataKeyPurpose, DataKeyStore, WrappedDataKey } from './data-key-store.js';
import { deriveKey } from './derive-key.js';
import type { Digester } from './digester.js';
import { type DataEncryptionKey, encryptText, keyIdOfRecord, openRecord } from './encrypted-record.js';
import type { Encryptor } from './encryptor.js';
import { type DigestKeySet, digestKeySet, hmacDigester } from './hmac-digester.js';
import { KeyEncryptionError, type KeyEncryptionKeys } from './key-encryption-keys.js';
import { type UnopenedDataKey, UnopenedDataKeysError } from './unopened-data-keys.js';

/** Interval at which a process reads the keys again, so that it knows every key before it is used, in milliseconds. */
export const KEY_REFRESH_INTERVAL_MS = 30_000;

/** Dependencies of the keys for data at rest. */
export interface DataKeyDependencies {
  readonly store: DataKeyStore;
  readonly keyEncryptionKeys: KeyEncryptionKeys;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** The keys for data at rest, unwrapped in memory. */
export interface DataKeys {
  readonly encryptor: Encryptor;
  readonly digester: Digester;
  /** Returns the id of the current encryption key. Earlier records may be under other keys. */
  currentDataEncryptionKeyId(): string;
  /** Whether a record is encrypted under the current key; any other record should be re-encrypted. */
  isEncryptedUnderCurrentKey(record: string): boolean;
  /**
   * Reads the keys again; call it at least every `KEY_REFRESH_INTERVAL_MS`. Parallel calls share a read that starts
   * after them. A key that cannot be unwrapped is reported by `unopened`, and the others are used. If that is the key
   * for new records, the previous one is used, which all processes can read.
   * @throws UnopenedDataKeysError when the previous key is retired or deleted. The keys in memory then stay in use, as
   *   they do when the store or a key service fails.
   */
  refresh(): Promise<void>;
  /** Returns the stored keys that the last read could not unwrap, in the store's order. */
  unopened(): readonly UnopenedDataKey[];
  /** Counts the reads that found other digest keys than the one before. */
  digestKeyChanges(): number;
}

/**
 * Opens the data keys, and creates the first ones if there are none. Any number of processes may start at the same
 * time.
 * @throws UnopenedDataKeysError when none of the key-encryption keys wrapped a stored key.
 */
export async function openDataKeys(dependencies: DataKeyDependencies): Promise<DataKeys> {
  await createFirstKeys(dependencies);
  let keys = await readKeys(dependencies);
  if (keys.unopened.length > 0) throw new UnopenedDataKeysError(keys.unopened);
  let digestKeyChanges = 0;
  const readings = coalescedRuns(async () => {
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
      encrypt: async (plaintext, associatedData) =>
        encryptText(keys.currentDataEncryptionKey, plaintext, associatedData, dependencies.random),
      open: async (record, associatedData) => {
        const id = keyIdOfRecord(record);
        const key = keys.dataEncryptionKeys.get(id) ?? (await unknownDataEncryptionKey(id));
        return openRecord({ id, key }, record, associatedData);
      },
    },
    digester: hmacDigester(() => keys.digestKeys),
    currentDataEncryptionKeyId: () => keys.currentDataEncryptionKey.id,
    isEncryptedUnderCurrentKey: (record) => keyIdOfRecord(record) === keys.currentDataEncryptionKey.id,
    refresh: readings.next,
    unopened: () => keys.unopened,
    digestKeyChanges: () => digestKeyChanges,
  };
}

/** The data keys in memory after one read. */
interface OpenedKeys {
  /** Every unwrapped key by id, so that later reads need not unwrap it again. */
  readonly secrets: ReadonlyMap<string, Uint8Array>;
  readonly dataEncryptionKeys: ReadonlyMap<string, KeyObject>;
  readonly currentDataEncryptionKey: DataEncryptionKey;
  readonly digestKeys: DigestKeySet;
  /** Ids of the digest keys, in order. */
  readonly digestKeyIds: readonly string[];
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

/** @throws UnopenedDataKeysError when neither the key for new records nor the previous one can be unwrapped. */
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
  const digestKeys = opened.filter(isForLookups);
  const currentEncryption = keyToWriteUnder(dataEncryptionKeys, 'seal', before?.currentDataEncryptionKey.id);
  const currentDigest = keyToWriteUnder(digestKeys, 'digest', before?.digestKeyIds[0]);
  const otherDigests = digestKeys.filter((key) => key !== currentDigest);
  return {
    secrets: new Map(opened.map(({ id, secret }) => [id, secret])),
    dataEncryptionKeys: new Map(dataEncryptionKeys.map(({ id, secret }) => [id, deriveKey(secret, 'seal')])),
    currentDataEncryptionKey: { id: currentEncryption.id, key: deriveKey(currentEncryption.secret, 'seal') },
    digestKeys: digestKeySet(
      [
        deriveKey(currentDigest.secret, 'digest'),
        ...otherDigests.map(({ secret }) => deriveKey(secret, 'digest')),
      ],
      !unopened.some(isForLookups),
    ),
    digestKeyIds: [currentDigest, ...otherDigests].map(({ id }) => id),
    unopened,
  };
}

/** Unwraps a data key; `undefined` if none of the key-encryption keys wrapped it. */
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

/** Whether lookups use a key: it is a digest key and not retired. */
function isForLookups({ purpose, state }: UnopenedDataKey): boolean {
  return purpose === 'digest' && state !== 'retired';
}
