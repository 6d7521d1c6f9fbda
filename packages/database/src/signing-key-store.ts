import type { SigningKeyStore, StoredSigningKey } from '@vestibule/crypto';
import { type EpochSeconds, fromDate, toDate } from '@vestibule/protocol';
import { member } from './column-values.js';
import type { Prisma, PrismaClient, SigningKey } from './generated/client.js';

/**
 * Our key pairs in Postgres. Of each set, use and algorithm at most one key is active: when another one becomes it, the
 * one before is retired in the same transaction, and stays published until somebody gives it an end.
 */
export function signingKeyStore(prisma: PrismaClient): SigningKeyStore {
  const { signingKey } = prisma;
  const makeRoom = ({ kid, keySet, use, algorithm, state, ...key }: StoredSigningKey) =>
    state === 'active'
      ? [
          signingKey.updateMany({
            where: { keySet, use, algorithm, state, kid: { not: kid } },
            data: { state: 'retired', retiredAt: toDate(key.activatedAt ?? key.createdAt) },
          }),
        ]
      : [];
  return {
    list: async (keySet, now) => {
      const rows = await signingKey.findMany({
        where: { keySet, OR: [{ expiresAt: null }, { expiresAt: { gt: toDate(now) } }] },
        orderBy: [{ createdAt: 'asc' }, { kid: 'asc' }],
      });
      return rows.map(keyFromRow);
    },
    // The index over active keys decides between parallel calls.
    insertFirst: async (key) => {
      const { count } = await signingKey.createMany({ data: [keyToRow(key)], skipDuplicates: true });
      return count > 0;
    },
    insert: async (key) => {
      await prisma.$transaction([...makeRoom(key), signingKey.create({ data: keyToRow(key) })]);
    },
    update: async (key) => {
      const { kid, ...data } = keyToRow(key);
      await prisma.$transaction([...makeRoom(key), signingKey.update({ where: { kid }, data })]);
    },
  };
}

function keyFromRow(row: SigningKey): StoredSigningKey {
  return {
    kid: row.kid,
    keySet: row.keySet,
    use: row.use,
    algorithm: row.algorithm,
    state: row.state,
    publicJwk: row.publicJwk as StoredSigningKey['publicJwk'],
    privateJwkSealed: row.privateJwkSealed,
    createdAt: fromDate(row.createdAt),
    ...member('activatedAt', instantOf(row.activatedAt)),
    ...member('retiredAt', instantOf(row.retiredAt)),
    ...member('expiresAt', instantOf(row.expiresAt)),
  };
}

function keyToRow(key: StoredSigningKey) {
  return {
    kid: key.kid,
    keySet: key.keySet,
    use: key.use,
    algorithm: key.algorithm,
    state: key.state,
    publicJwk: key.publicJwk as Prisma.InputJsonObject,
    privateJwkSealed: key.privateJwkSealed,
    createdAt: toDate(key.createdAt),
    activatedAt: dateOf(key.activatedAt),
    retiredAt: dateOf(key.retiredAt),
    expiresAt: dateOf(key.expiresAt),
  };
}

function instantOf(date: Date | null): EpochSeconds | null {
  return date && fromDate(date);
}

function dateOf(seconds: EpochSeconds | undefined): Date | null {
  return seconds === undefined ? null : toDate(seconds);
}
