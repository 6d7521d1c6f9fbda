import type { InitialAccessToken } from '@vestibule/clients/registration';
import type { Digest } from '@vestibule/crypto/data-keys';
import type { EpochSeconds } from '@vestibule/protocol';
import { secondsOf } from './column-values.js';
import { type ColumnsOf, type RowOf, selectList, storedMembers } from './columns.js';
import type { InitialAccessToken as TokenModel } from './generated/client.js';
import type { ObtainPrisma } from './lazy-prisma.js';
import type { RunStatement, Statement } from './statement.js';

/** An initial access token for operators, without its text, which is not stored. */
export interface ListedInitialToken {
  readonly digest: Digest;
  /** Its name in audit events: the first eight hexadecimal digits of its digest. */
  readonly shortId: string;
  readonly scope: string;
  readonly issuedAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
  readonly usesLeft: number;
  /** Number of clients that were registered with it. */
  readonly uses: number;
  readonly label?: string;
  readonly metadataTemplate?: NonNullable<InitialAccessToken['metadataTemplate']>;
}

/** Lists initial access tokens for operators. */
export interface ListedInitialTokens {
  /** Lists all tokens in the order of issue, expired ones included, in pages that are read on demand. */
  list(): AsyncIterable<readonly ListedInitialToken[]>;
  /** Finds the tokens with a short identifier: usually one. */
  findByShortId(shortId: string): Promise<readonly ListedInitialToken[]>;
  /**
   * Lists the uses of a token in order, in pages that are read on demand. They are deleted with the token; the audit
   * events `initial_access_token.spent` remain.
   */
  uses(digest: Digest): AsyncIterable<readonly InitialTokenUse[]>;
}

/** One use of an initial access token. */
export interface InitialTokenUse {
  /** The client that was registered. It may have been deleted since. */
  readonly clientId: string;
  readonly usedAt: EpochSeconds;
}

const COLUMNS = {
  digest: 'bytea',
  scope: 'text',
  issuedAt: 'time',
  expiresAt: 'time',
  usesLeft: 'integer',
  label: 'text',
  metadataTemplate: 'jsonb',
} as const satisfies ColumnsOf<TokenModel>;

interface TokenRow extends RowOf<TokenModel, typeof COLUMNS, InitialAccessToken> {
  readonly shortId: string;
  readonly uses: number;
}

const PAGE = 500;

const SHORT_ID = `encode(substring(digest FROM 1 FOR 4), 'hex')`;

const SELECT = `SELECT ${selectList(COLUMNS)}, ${SHORT_ID} AS "shortId",
    (SELECT count(*)::integer FROM initial_access_token_use WHERE token_digest = digest) AS uses
  FROM initial_access_token`;

/**
 * The statements of the list. By hand, because Prisma Client cannot compare digests or a part of one, and its cursor ends
 * the list at a token that was deleted since.
 */
export const LISTED_TOKEN_STATEMENTS = {
  find: {
    name: 'listed-initial-token-find',
    text: `${SELECT} WHERE ${SHORT_ID} = $1`,
    repeatable: true,
  },
  list: {
    name: 'listed-initial-token-list',
    text: `${SELECT} WHERE (issued_at, digest) > (to_timestamp($1), $2::bytea)
      ORDER BY initial_access_token.issued_at, digest LIMIT ${PAGE}`,
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

/** Creates the list of initial access tokens in Postgres. */
export function listedInitialTokens(run: RunStatement, obtainPrisma: ObtainPrisma): ListedInitialTokens {
  return {
    list: async function* () {
      let after: Pick<TokenRow, 'issuedAt' | 'digest'> = { issuedAt: 0, digest: new Uint8Array() };
      for (;;) {
        const { rows } = await run<TokenRow>(LISTED_TOKEN_STATEMENTS.list, [after.issuedAt, after.digest]);
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows.map(listedToken);
        after = last;
      }
    },
    findByShortId: async (shortId) =>
      (await run<TokenRow>(LISTED_TOKEN_STATEMENTS.find, [shortId])).rows.map(listedToken),
    uses: async function* (digest) {
      const { initialAccessTokenUse } = await obtainPrisma();
      let after = 0n;
      for (;;) {
        const uses = await initialAccessTokenUse.findMany({
          where: { tokenDigest: new Uint8Array(digest), id: { gt: after } },
          orderBy: { id: 'asc' },
          take: PAGE,
        });
        const last = uses.at(-1);
        if (last === undefined) return;
        yield uses.map(({ clientId, usedAt }) => ({ clientId, usedAt: secondsOf(usedAt) }));
        after = last.id;
      }
    },
  };
}

function listedToken(row: TokenRow): ListedInitialToken {
  const { shortId, uses } = row;
  return { ...storedMembers(COLUMNS, row), shortId, uses };
}
