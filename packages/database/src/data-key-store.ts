import type { DataKeyStore, WrappedDataKey } from '@vestibule/crypto';
import type { DataKey, PrismaClient } from './generated/client.js';

/**
 * Data keys in Postgres. Of each purpose at most one key is active: when another one becomes it, the one before turns
 * to pending in the same transaction, so that what was made with it still opens and matches.
 */
export function dataKeyStore(prisma: PrismaClient): DataKeyStore {
  const { dataKey } = prisma;
  const makeRoom = ({ id, purpose, state }: WrappedDataKey) =>
    state === 'active'
      ? [dataKey.updateMany({ where: { purpose, state, id: { not: id } }, data: { state: 'pending' } })]
      : [];
  return {
    list: async () => {
      const rows = await dataKey.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
      return rows.map(keyFromRow);
    },
    // The index over active keys decides between parallel calls.
    insertFirst: async (key) => {
      const { count } = await dataKey.createMany({ data: [keyToRow(key)], skipDuplicates: true });
      return count > 0;
    },
    insert: async (key) => {
      await prisma.$transaction([...makeRoom(key), dataKey.create({ data: keyToRow(key) })]);
    },
    update: async (key) => {
      const { id, ...data } = keyToRow(key);
      await prisma.$transaction([...makeRoom(key), dataKey.update({ where: { id }, data })]);
    },
  };
}

function keyFromRow(row: DataKey): WrappedDataKey {
  return {
    id: row.id,
    purpose: row.purpose,
    state: row.state,
    wrapped: row.wrapped,
    keyEncryptionKeyId: row.keyEncryptionKeyId,
    createdAtMs: row.createdAt.getTime(),
  };
}

function keyToRow({ createdAtMs, ...same }: WrappedDataKey): DataKey {
  return { ...same, createdAt: new Date(createdAtMs) };
}
