import type { SigningKeyStore, StoredSigningKey } from '@vestibule/crypto/signing-keys';
import { type EpochSeconds, toDate } from '@vestibule/protocol';
import type { Author } from './audit/author.js';
import { keyEvents } from './audit/key-events.js';
import { type ColumnsOf, type RowOf, selectList, storedMembers } from './columns.js';
import type { Prisma, SigningKey } from './generated/client.js';
import type { ObtainPrisma } from './lazy-prisma.js';
import type { RunStatement, Statement } from './statement.js';

const KEY_COLUMNS = {
  kid: 'text',
  keySet: 'key_set',
  use: 'key_use',
  algorithm: 'text',
  state: 'key_state',
  publicJwk: 'jsonb',
  privateJwkEncrypted: 'text',
  createdAt: 'time',
  activatedAt: 'time',
  retiredAt: 'time',
  expiresAt: 'time',
} as const satisfies ColumnsOf<SigningKey>;

type SigningKeyRow = RowOf<SigningKey, typeof KEY_COLUMNS, StoredSigningKey>;

/** The statement that reads the keys. By hand, because every service runs it at its start and every 30 seconds. */
export const SIGNING_KEY_LIST: Statement = {
  name: 'signing-key-list',
  text: `SELECT ${selectList(KEY_COLUMNS)} FROM signing_key
    WHERE key_set = $1::key_set AND (expires_at IS NULL OR expires_at > to_timestamp($2))
    ORDER BY signing_key.created_at, kid`,
  repeatable: true,
};

/** The statement that reads the `kid` of every key there ever was. By hand, because it runs whenever the list does. */
export const EVERY_SIGNING_KEY_KID: Statement = {
  name: 'signing-key-every-kid',
  text: 'SELECT kid FROM signing_key UNION ALL SELECT kid FROM deleted_signing_key',
  repeatable: true,
};

/**
 * Creates the store of key pairs in Postgres. Each set, use and algorithm has at most one active key: activating
 * another one retires the previous one in the same transaction, which stays published until it gets an expiry. With an
 * author, every change except the creation of first keys is recorded in the same transaction.
 */
export function signingKeyStore(
  run: RunStatement,
  obtainPrisma: ObtainPrisma,
  author?: Author,
): SigningKeyStore {
  const recorded = (action: string, { kid, keySet, use, algorithm, state, expiresAt }: StoredSigningKey) => ({
    action: `signing_key.${action}`,
    target: `signing_key:${kid}`,
    details: {
      key_set: keySet,
      use,
      algorithm,
      state,
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
    },
  });
  return {
    list: async (keySet, now) => {
      const { rows } = await run<SigningKeyRow>(SIGNING_KEY_LIST, [keySet, now]);
      return rows.map((row) => storedMembers(KEY_COLUMNS, row));
    },
    listEveryKid: async () => {
      const { rows } = await run<Pick<SigningKey, 'kid'>>(EVERY_SIGNING_KEY_KID, []);
      return rows.map(({ kid }) => kid);
    },
    // The unique index of active keys decides between parallel calls.
    insertFirst: async (key) => {
      const { signingKey } = await obtainPrisma();
      const { count } = await signingKey.createMany({ data: [keyToRow(key)], skipDuplicates: true });
      return count > 0;
    },
    insert: async (key) => {
      const prisma = await obtainPrisma();
      await prisma.$transaction([
        prisma.signingKey.updateMany(makingRoomFor(key)),
        prisma.signingKey.create({ data: keyToRow(key) }),
        ...keyEvents(prisma, author, recorded('added', key)),
      ]);
    },
    update: async (key) => {
      const prisma = await obtainPrisma();
      const { kid, ...data } = keyToRow(key);
      await prisma.$transaction([
        prisma.signingKey.updateMany(makingRoomFor(key)),
        prisma.signingKey.update({ where: { kid }, data }),
        ...keyEvents(prisma, author, recorded('changed', key)),
      ]);
    },
  };
}

/** Builds the update of the previous active key; it matches nothing for a key that is not active. */
function makingRoomFor(key: StoredSigningKey): Prisma.SigningKeyUpdateManyArgs {
  const { kid, keySet, use, algorithm, state } = key;
  const others = state === 'active' ? { not: kid } : { in: [] };
  return {
    where: { keySet, use, algorithm, state: 'active', kid: others },
    data: { state: 'retired', retiredAt: toDate(key.activatedAt ?? key.createdAt) },
  };
}

function keyToRow(key: StoredSigningKey) {
  return {
    ...key,
    publicJwk: key.publicJwk as Prisma.InputJsonObject,
    createdAt: toDate(key.createdAt),
    activatedAt: dateOf(key.activatedAt),
    retiredAt: dateOf(key.retiredAt),
    expiresAt: dateOf(key.expiresAt),
  };
}

function dateOf(seconds: EpochSeconds | undefined): Date | null {
  return seconds === undefined ? null : toDate(seconds);
}
