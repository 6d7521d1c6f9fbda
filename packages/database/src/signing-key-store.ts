import type { SigningKeyStore, StoredSigningKey } from '@vestibule/crypto';
import { type EpochSeconds, toDate } from '@vestibule/protocol';
import type { Author } from './audit/author.js';
import { keyEvents } from './audit/key-events.js';
import { instant, member } from './column-values.js';
import { selectList } from './columns.js';
import type { Prisma } from './generated/client.js';
import type { ObtainPrisma } from './lazy-prisma.js';
import type { RunStatement, Statement } from './statement.js';

const KEY_COLUMNS = {
  kid: 'text',
  key_set: 'key_set',
  use: 'key_use',
  algorithm: 'text',
  state: 'key_state',
  public_jwk: 'jsonb',
  private_jwk_sealed: 'text',
  created_at: 'time',
  activated_at: 'time',
  retired_at: 'time',
  expires_at: 'time',
} as const;

interface SigningKeyRow {
  readonly kid: string;
  readonly key_set: StoredSigningKey['keySet'];
  readonly use: StoredSigningKey['use'];
  readonly algorithm: string;
  readonly state: StoredSigningKey['state'];
  readonly public_jwk: StoredSigningKey['publicJwk'];
  readonly private_jwk_sealed: string;
  readonly created_at: number;
  readonly activated_at: number | null;
  readonly retired_at: number | null;
  readonly expires_at: number | null;
}

/** The statement with which every service reads the keys repeatedly. */
export const SIGNING_KEY_LIST: Statement = {
  name: 'signing-key-list',
  text: `SELECT ${selectList(KEY_COLUMNS)} FROM signing_key
    WHERE key_set = $1::key_set AND (expires_at IS NULL OR expires_at > to_timestamp($2))
    ORDER BY signing_key.created_at, kid`,
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
      return rows.map(keyFromRow);
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

function keyFromRow(row: SigningKeyRow): StoredSigningKey {
  return {
    kid: row.kid,
    keySet: row.key_set,
    use: row.use,
    algorithm: row.algorithm,
    state: row.state,
    publicJwk: row.public_jwk,
    privateJwkEncrypted: row.private_jwk_sealed,
    createdAt: instant(row.created_at),
    ...member('activatedAt', instant(row.activated_at)),
    ...member('retiredAt', instant(row.retired_at)),
    ...member('expiresAt', instant(row.expires_at)),
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
    privateJwkEncrypted: key.privateJwkEncrypted,
    createdAt: toDate(key.createdAt),
    activatedAt: dateOf(key.activatedAt),
    retiredAt: dateOf(key.retiredAt),
    expiresAt: dateOf(key.expiresAt),
  };
}

function dateOf(seconds: EpochSeconds | undefined): Date | null {
  return seconds === undefined ? null : toDate(seconds);
}
