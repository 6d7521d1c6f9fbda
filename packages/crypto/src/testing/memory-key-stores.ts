import type { DataKeyStore, WrappedDataKey } from '../data-keys/data-key-store.js';
import type { SigningKeyStore, StoredSigningKey } from '../signing-keys/signing-key-store.js';

/** An in-memory data key store with accessible rows. */
export interface MemoryDataKeyStore extends DataKeyStore {
  readonly rows: readonly WrappedDataKey[];
}

/** An in-memory signing key store with accessible rows. */
export interface MemorySigningKeyStore extends SigningKeyStore {
  readonly rows: readonly StoredSigningKey[];
}

/** Creates an in-memory data key store. */
export function memoryDataKeyStore(): MemoryDataKeyStore {
  const rows: WrappedDataKey[] = [];
  return {
    rows,
    list: async () => [...rows],
    insertFirst: async (key) => {
      if (rows.some(({ purpose, state }) => purpose === key.purpose && state === 'active')) return false;
      rows.push(key);
      return true;
    },
    insert: async (key) => {
      rows.push(key);
    },
    update: async (key) => replaceRow(rows, key, (row) => row.id === key.id),
  };
}

/** Creates an in-memory signing key store. */
export function memorySigningKeyStore(): MemorySigningKeyStore {
  const rows: StoredSigningKey[] = [];
  const isActiveRival = (a: StoredSigningKey, b: StoredSigningKey) =>
    a.state === 'active' && a.keySet === b.keySet && a.use === b.use && a.algorithm === b.algorithm;
  return {
    rows,
    list: async (keySet, now) =>
      rows.filter((row) => row.keySet === keySet && (row.expiresAt === undefined || row.expiresAt > now)),
    listEveryKid: async () => rows.map(({ kid }) => kid),
    insertFirst: async (key) => {
      if (rows.some((row) => isActiveRival(row, key))) return false;
      rows.push(key);
      return true;
    },
    insert: async (key) => {
      rows.push(key);
    },
    update: async (key) => replaceRow(rows, key, (row) => row.kid === key.kid),
  };
}

function replaceRow<Row>(rows: Row[], row: Row, isSame: (candidate: Row) => boolean): void {
  const index = rows.findIndex(isSame);
  if (index === -1) throw new Error('there is no such row');
  rows[index] = row;
}
