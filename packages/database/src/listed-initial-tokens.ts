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
  /** Returns the last issued tokens first, expired ones included. Their uses are not counted. */
  page(selection: ListedTokenSelection): Promise<ListedTokenPage>;
  /** Finds the tokens with a short identifier: usually one. */
  findByShortId(shortId: string): Promise<readonly ListedInitialToken[]>;
  /**
   * Lists the uses of a token in order, in pages that are read on demand. They are deleted with the token; the audit
   * events `initial_access_token.spent` remain.
   */
  uses(digest: Digest): AsyncIterable<readonly InitialTokenUse[]>;
  /** Returns the first `limit` uses of a token after a position, in order. */
  pageOfUses(digest: Digest, selection: InitialTokenUseSelection): Promise<InitialTokenUsePage>;
}

/** A position in the list, the last issued token first: after this token. */
export type ListedTokenPosition = Pick<ListedInitialToken, 'issuedAt' | 'shortId'>;

/** A page of the list. */
export interface ListedTokenSelection {
  /** Default: from the beginning. */
  readonly after?: ListedTokenPosition;
  /** Maximum number of tokens. */
  readonly limit: number;
}

/** An initial access token in a page, whose uses are not counted. */
export type ListedTokenState = Omit<ListedInitialToken, 'uses'>;

/** Tokens, and where the next page starts; absent on the last page. */
export interface ListedTokenPage {
  readonly tokens: readonly ListedTokenState[];
  readonly next?: ListedTokenPosition;
}

/** A page of the uses of a token. */
export interface InitialTokenUseSelection {
  /** Start of the page, from the one before. Default: from the beginning. */
  readonly after?: bigint;
  /** Maximum number of uses. */
  readonly limit: number;
}

/** Uses of a token, and where the next page starts; absent on the last page. */
export interface InitialTokenUsePage {
  readonly uses: readonly InitialTokenUse[];
  readonly next?: bigint;
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

interface StateRow extends RowOf<TokenModel, typeof COLUMNS, InitialAccessToken> {
  readonly shortId: string;
}

interface TokenRow extends StateRow {
  readonly uses: number;
}

const PAGE = 500;

const SHORT_ID = `encode(substring(digest FROM 1 FOR 4), 'hex')`;

const SHORT_ID_FORM = /^[0-9a-f]{8}$/;

const STATE = `${selectList(COLUMNS)}, ${SHORT_ID} AS "shortId"`;

const SELECT = `SELECT ${STATE},
    (SELECT count(*)::integer FROM initial_access_token_use WHERE token_digest = digest) AS uses
  FROM initial_access_token`;

/**
 * The statements of the list. By hand, because Prisma Client cannot compare digests or a part of one, and its cursor ends
 * the list at a token that was deleted since.
 */
export const LISTED_TOKEN_STATEMENTS = {
  find: {
    name: 'listed-initial-token-find',
    text: `${SELECT}
      WHERE digest BETWEEN decode($1::text, 'hex') AND decode($1::text || repeat('ff', 28), 'hex')`,
    repeatable: true,
  },
  // Digests that begin with an identifier come after the identifier itself.
  page: {
    name: 'listed-initial-token-page',
    text: `SELECT ${STATE} FROM initial_access_token WHERE (issued_at, digest)
        < (coalesce(to_timestamp($1::float8), 'infinity'), coalesce(decode($2::text, 'hex'), ''))
      ORDER BY initial_access_token.issued_at DESC, digest DESC LIMIT $3`,
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
    page: async ({ after, limit }) => {
      const values = [after?.issuedAt, after?.shortId, limit + 1];
      const { rows } = await run<StateRow>(LISTED_TOKEN_STATEMENTS.page, values);
      const tokens = rows.slice(0, limit).map(tokenState);
      const last = tokens.at(-1);
      return { tokens, ...(last !== undefined && rows.length > limit && { next: last }) };
    },
    findByShortId: async (shortId) => {
      if (!SHORT_ID_FORM.test(shortId)) return [];
      return (await run<TokenRow>(LISTED_TOKEN_STATEMENTS.find, [shortId])).rows.map(listedToken);
    },
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
    pageOfUses: async (digest, { after = 0n, limit }) => {
      const { initialAccessTokenUse } = await obtainPrisma();
      const found = await initialAccessTokenUse.findMany({
        where: { tokenDigest: new Uint8Array(digest), id: { gt: after } },
        orderBy: { id: 'asc' },
        take: limit + 1,
      });
      const uses = found.slice(0, limit);
      const last = uses.at(-1);
      return {
        uses: uses.map(({ clientId, usedAt }) => ({ clientId, usedAt: secondsOf(usedAt) })),
        ...(last !== undefined && found.length > limit && { next: last.id }),
      };
    },
  };
}

function listedToken(row: TokenRow): ListedInitialToken {
  return { ...tokenState(row), uses: row.uses };
}

function tokenState(row: StateRow): ListedTokenState {
  return { ...storedMembers(COLUMNS, row), shortId: row.shortId };
}
