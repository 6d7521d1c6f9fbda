import {
  activateDataKey,
  activateSigningKey,
  addDataKey,
  addSigningKey,
  DATA_KEY_SETTLE_MS,
  openDataKeys,
  parseKeyEncryptionKeys,
  retireDataKey,
  rewrapDataKeys,
  secureRandom,
} from '@vestibule/crypto';
import { openDatabase } from '@vestibule/database';
import { systemClock } from '@vestibule/protocol';

/** The keys that a rotation has added. */
export interface AddedKeys {
  readonly kid: string;
  readonly sealId: string;
  readonly digestId: string;
}

/** Somebody who rotates keys, with everything that the command of an operator does. */
export interface Operator {
  /** Adds pending keys of every kind. */
  add(): Promise<AddedKeys>;
  /** Lets them be used; earlier signing keys stay published for so long. Every process has read the keys since. */
  activate(keys: AddedKeys, publishedSeconds: number): Promise<void>;
  /** Wraps the data keys under the first of the key-encryption keys. */
  rewrap(): Promise<number>;
  /** Seals every record anew. @returns how many do not open */
  reseal(): Promise<number>;
  /** Retires every key for digests but one. */
  retireOtherDigestKeys(keptId: string): Promise<void>;
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
  const signing = { store: database.signingKeys, sealer: keys.sealer, clock: systemClock };
  const later = { nowMs: () => systemClock.nowMs() + DATA_KEY_SETTLE_MS };
  return {
    add: async () => {
      const { id: sealId } = await addDataKey(data, 'seal');
      const { id: digestId } = await addDataKey(data, 'digest');
      const purpose = { keySet: 'provider', use: 'sig', algorithm: 'ES256' } as const;
      return { kid: (await addSigningKey(signing, purpose)).kid, sealId, digestId };
    },
    activate: async ({ kid, sealId, digestId }, publishedSeconds) => {
      for (const id of [sealId, digestId]) await activateDataKey({ ...data, clock: later }, id);
      await activateSigningKey(signing, { keySet: 'provider', kid, publishedSeconds, atOnce: true });
    },
    rewrap: () => rewrapDataKeys(data),
    reseal: async () => {
      await keys.refresh();
      return (await database.reseal(keys)).unreadable;
    },
    retireOtherDigestKeys: async (keptId) => {
      for (const { id, purpose } of await database.dataKeys.list())
        if (purpose === 'digest' && id !== keptId) await retireDataKey(data, id);
    },
    close: () => database.close(),
  };
}
