import type { DataKeyStore, WrappedDataKey } from '@vestibule/crypto';
import type { Author } from './audit/author.js';
import { keyEvents } from './audit/key-events.js';
import { selectList } from './columns.js';
import type { Prisma } from './generated/client.js';
import type { ObtainPrisma } from './lazy-prisma.js';
import type { RunStatement, Statement } from './statement.js';

const KEY_COLUMNS = {
  id: 'text',
  purpose: 'data_key_purpose',
  state: 'key_state',
  wrapped: 'text',
  key_encryption_key_id: 'text',
  created_at: 'time',
  activated_at: 'time',
} as const;

interface DataKeyRow {
  readonly id: string;
  readonly purpose: WrappedDataKey['purpose'];
  readonly state: WrappedDataKey['state'];
  readonly wrapped: string;
  readonly key_encryption_key_id: string;
  readonly created_at: number;
  readonly activated_at: number | null;
}

/** The statement with which every service reads the keys repeatedly. */
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

function keyFromRow(row: DataKeyRow): WrappedDataKey {
  return {
    id: row.id,
    purpose: row.purpose,
    state: row.state,
    wrapped: row.wrapped,
    keyEncryptionKeyId: row.key_encryption_key_id,
    createdAtMs: Math.round(row.created_at * 1000),
    ...(row.activated_at !== null && { activatedAtMs: Math.round(row.activated_at * 1000) }),
  };
}

function keyToRow({ createdAtMs, activatedAtMs, ...same }: WrappedDataKey) {
  return {
    ...same,
    createdAt: new Date(createdAtMs),
    ...(activatedAtMs !== undefined && { activatedAt: new Date(activatedAtMs) }),
  };
}
