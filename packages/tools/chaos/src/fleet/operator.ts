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

/** The keys that a rotation has added. */
export interface AddedKeys {
  readonly kid: string;
  readonly encryptionId: string;
  readonly digestId: string;
}

/** For how long keys are published and copied. */
export interface KeyTimes {
  /** How long the earlier key stays published. */
  readonly publishedSeconds: number;
  /** How long others may keep a copy of the published keys. */
  readonly cachedSeconds: number;
}

/** Someone who rotates keys, with everything that the command of an operator does. */
export interface Operator {
  /** Adds pending keys of every kind. */
  add(): Promise<AddedKeys>;
  /** Lets those for data at rest be used. Every process has read the keys since. */
  activateDataKeys(keys: AddedKeys): Promise<void>;
  /**
   * Lets the signing key be used, as `vestibule keys activate` does.
   * @returns whether it may sign yet: not before every copy of the published keys has it
   */
  activateSigningKey(keys: AddedKeys, times: KeyTimes): Promise<boolean>;
  /** Wraps the data keys under the first of the key-encryption keys. */
  rewrap(): Promise<number>;
  /** Encrypts every record anew. @returns how many do not open */
  reencrypt(): Promise<number>;
  close(): Promise<void>;
}

/** One who works on a database. @param keyEncryptionKeys as the setting has them, the one that wraps first */
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
