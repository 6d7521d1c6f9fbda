import type { InitialAccessToken } from '@vestibule/clients/registration';
import type { Digest } from '@vestibule/crypto';
import type { EpochSeconds } from '@vestibule/protocol';
import { digestOf, instant, member } from './column-values.js';
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

interface TokenRow {
  readonly digest: Uint8Array;
  readonly short_id: string;
  readonly scope: string;
  readonly issued_at: number;
  readonly expires_at: number;
  readonly uses_left: number;
  readonly uses: number;
  readonly label: string | null;
  readonly metadata_template: NonNullable<InitialAccessToken['metadataTemplate']> | null;
}

interface UseRow {
  readonly id: string;
  readonly client_id: string;
  readonly used_at: number;
}

const PAGE = 500;

const SHORT_ID = `encode(substring(digest FROM 1 FOR 4), 'hex')`;

const SELECT = `SELECT digest, ${SHORT_ID} AS short_id, scope,
    extract(epoch FROM issued_at)::float8 AS issued_at, extract(epoch FROM expires_at)::float8 AS expires_at,
    uses_left, label, metadata_template,
    (SELECT count(*)::integer FROM initial_access_token_use WHERE token_digest = digest) AS uses
  FROM initial_access_token`;

const FIND: Statement = {
  name: 'listed-initial-token-find',
  text: `${SELECT} WHERE ${SHORT_ID} = $1`,
  repeatable: true,
};

const LIST: Statement = {
  name: 'listed-initial-token-list',
  text: `${SELECT} WHERE (issued_at, digest) > (to_timestamp($1), $2::bytea)
    ORDER BY initial_access_token.issued_at, digest LIMIT ${PAGE}`,
  repeatable: true,
};

const USES: Statement = {
  name: 'listed-initial-token-uses',
  text: `SELECT id::text, client_id, extract(epoch FROM used_at)::float8 AS used_at
    FROM initial_access_token_use WHERE token_digest = $1 AND id > $2::bigint
    ORDER BY initial_access_token_use.id LIMIT ${PAGE}`,
  repeatable: true,
};

/** Creates the list of initial access tokens in Postgres. */
export function listedInitialTokens(run: RunStatement): ListedInitialTokens {
  return {
    list: async function* () {
      let after: Pick<TokenRow, 'issued_at' | 'digest'> = { issued_at: 0, digest: new Uint8Array() };
      for (;;) {
        const { rows } = await run<TokenRow>(LIST, [after.issued_at, after.digest]);
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows.map(listedToken);
        after = last;
      }
    },
    findByShortId: async (shortId) => (await run<TokenRow>(FIND, [shortId])).rows.map(listedToken),
    uses: async function* (digest) {
      let after = '0';
      for (;;) {
        const { rows } = await run<UseRow>(USES, [digest, after]);
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows.map((row) => ({ clientId: row.client_id, usedAt: instant(row.used_at) }));
        after = last.id;
      }
    },
  };
}

function listedToken(row: TokenRow): ListedInitialToken {
  return {
    digest: digestOf(row.digest),
    shortId: row.short_id,
    scope: row.scope,
    issuedAt: instant(row.issued_at),
    expiresAt: instant(row.expires_at),
    usesLeft: row.uses_left,
    uses: row.uses,
    ...member('label', row.label),
    ...member('metadataTemplate', row.metadata_template),
  };
}
