import { secureRandom } from '@vestibule/crypto';
import {
  activateDataKey,
  addDataKey,
  DATA_KEY_SETTLE_MS,
  openDataKeys,
  parseKeyEncryptionKeys,
  rewrapDataKeys,
} from '@vestibule/crypto/data-keys';
import { activateSigningKey, addSigningKey, KeyStateError } from '@vestibule/crypto/signing-keys';
import { openDatabase } from '@vestibule/database';
import { systemClock } from '@vestibule/protocol';

/** The keys that a rotation added. */
export interface AddedKeys {
  readonly kid: string;
  readonly encryptionId: string;
  readonly digestId: string;
}

/** How long keys are published and cached. */
export interface KeyTimes {
  /** How long the previous key stays published. */
  readonly publishedSeconds: number;
  /** How long clients may cache the published keys. */
  readonly cachedSeconds: number;
}

/** Rotates keys in the way that the operator's commands do. */
export interface Operator {
  /** Adds pending keys of every kind. */
  add(): Promise<AddedKeys>;
  /** Activates the keys for data at rest. Every process must have read the keys before. */
  activateDataKeys(keys: AddedKeys): Promise<void>;
  /**
   * Activates the signing key, as `vestibule keys activate` does.
   * @returns whether it may sign yet: not before every copy of the published keys contains it
   */
  activateSigningKey(keys: AddedKeys, times: KeyTimes): Promise<boolean>;
  /** Wraps the data keys with the first key-encryption key. */
  rewrap(): Promise<number>;
  /** Re-encrypts every record. @returns the number of records that cannot be decrypted */
  reencrypt(): Promise<number>;
  close(): Promise<void>;
}

/** Opens an operator of a database. @param keyEncryptionKeys as in the setting; the first one wraps */
export async function openOperator(url: string, keyEncryptionKeys: string): Promise<Operator> {
  const database = openDatabase({ url, poolSize: 2, applicationName: 'chaos operator' });
  const data = {
    store: database.dataKeys,
    keyEncryptionKeys: parseKeyEncryptionKeys(keyEncryptionKeys),
    clock: systemClock,
    random: secureRandom,
  };
  const keys = await openDataKeys(data);
  const signing = { store: database.signingKeys, encryptor: keys.encryptor, clock: systemClock };
  const later = { nowMs: () => systemClock.nowMs() + DATA_KEY_SETTLE_MS };
  return {
    add: async () => {
      const { id: encryptionId } = await addDataKey(data, 'seal');
      const { id: digestId } = await addDataKey(data, 'digest');
      const purpose = { keySet: 'provider', use: 'sig', algorithm: 'ES256' } as const;
      return { kid: (await addSigningKey(signing, purpose)).kid, encryptionId, digestId };
    },
    activateDataKeys: async ({ encryptionId, digestId }) => {
      for (const id of [encryptionId, digestId]) await activateDataKey({ ...data, clock: later }, id);
    },
    activateSigningKey: async ({ kid }, times) => {
      try {
        await activateSigningKey(signing, { keySet: 'provider', kid, ...times });
        return true;
      } catch (error) {
        if (error instanceof KeyStateError) return false;
        throw error;
      }
    },
    rewrap: () => rewrapDataKeys(data),
    reencrypt: async () => {
      await keys.refresh();
      return (await database.reencrypt(keys)).unreadable;
    },
    close: () => database.close(),
  };
}
