import type { DataKeyStore, WrappedDataKey } from '@vestibule/crypto/data-keys';
import type { Author } from './audit/author.js';
import { keyEvents } from './audit/key-events.js';
import { type ColumnsOf, type RowOf, selectList } from './columns.js';
import type { DataKey, Prisma } from './generated/client.js';
import type { ObtainPrisma } from './lazy-prisma.js';
import type { RunStatement, Statement } from './statement.js';

const KEY_COLUMNS = {
  id: 'text',
  purpose: 'data_key_purpose',
  state: 'key_state',
  wrapped: 'text',
  keyEncryptionKeyId: 'text',
  createdAt: 'time',
  activatedAt: 'time',
} as const satisfies ColumnsOf<DataKey>;

type DataKeyRow = RowOf<DataKey, typeof KEY_COLUMNS>;

/**
 * The statement that reads the keys. By hand, because every service runs it at its start and every 30 seconds: loading Prisma
 * Client for it would delay the start, and take 30 MB of each instance.
 */
export const DATA_KEY_LIST: Statement = {
  name: 'data-key-list',
  text: `SELECT ${selectList(KEY_COLUMNS)} FROM data_key ORDER BY data_key.created_at, id`,
  repeatable: true,
};

/**
 * Creates the store of data keys in Postgres. Each purpose has at most one active key: activating another one makes the
 * previous one pending in the same transaction, so that its ciphertexts and digests remain usable. With an author,
 * every change except the creation of first keys is recorded in the same transaction.
 */
export function dataKeyStore(run: RunStatement, obtainPrisma: ObtainPrisma, author?: Author): DataKeyStore {
  const recorded = (action: string, { id, purpose, state, keyEncryptionKeyId }: WrappedDataKey) => ({
    action: `data_key.${action}`,
    target: `data_key:${id}`,
    details: { purpose, state, key_encryption_key: keyEncryptionKeyId },
  });
  return {
    list: async () => {
      const { rows } = await run<DataKeyRow>(DATA_KEY_LIST, []);
      return rows.map(keyFromRow);
    },
    // The unique index of active keys decides between parallel calls.
    insertFirst: async (key) => {
      const { dataKey } = await obtainPrisma();
      const { count } = await dataKey.createMany({ data: [keyToRow(key)], skipDuplicates: true });
      return count > 0;
    },
    insert: async (key) => {
      const prisma = await obtainPrisma();
      await prisma.$transaction([
        prisma.dataKey.updateMany(makingRoomFor(key)),
        prisma.dataKey.create({ data: keyToRow(key) }),
        ...keyEvents(prisma, author, recorded('added', key)),
      ]);
    },
    update: async (key) => {
      const prisma = await obtainPrisma();
      const { id, ...data } = keyToRow(key);
      await prisma.$transaction([
        prisma.dataKey.updateMany(makingRoomFor(key)),
        prisma.dataKey.update({ where: { id }, data }),
        ...keyEvents(prisma, author, recorded('changed', key)),
      ]);
    },
  };
}

/** Builds the update of the previous active key; it matches nothing for a key that is not active. */
function makingRoomFor({ id, purpose, state }: WrappedDataKey): Prisma.DataKeyUpdateManyArgs {
  const others = state === 'active' ? { not: id } : { in: [] };
  return { where: { purpose, state: 'active', id: others }, data: { state: 'pending' } };
}

function keyFromRow({ createdAt, activatedAt, ...same }: DataKeyRow): WrappedDataKey {
  return {
    ...same,
    createdAtMs: Math.round(createdAt * 1000),
    ...(activatedAt !== null && { activatedAtMs: Math.round(activatedAt * 1000) }),
  };
}

function keyToRow({ createdAtMs, activatedAtMs, ...same }: WrappedDataKey) {
  return {
    ...same,
    createdAt: new Date(createdAtMs),
    ...(activatedAtMs !== undefined && { activatedAt: new Date(activatedAtMs) }),
  };
}
