import { MAX_TOKEN_LIFETIME_SECONDS } from '@vestibule/tokens/issuing';
import { type Columns, placeholderOf } from './columns.js';

/** Kinds of entities with a cut-off. */
export type CutoffKind = 'client' | 'subject' | 'session' | 'issuer';

/** The entities for which cut-offs are written. */
export interface CutoffSource {
  readonly kind: CutoffKind;
  /** A query whose column `value` contains each entity once. */
  readonly values: string;
  /** The parameter with the time up to which tokens are revoked, in seconds. */
  readonly second: string;
  /** Whether the session, or the part of a client in it, has ended, so that it has no later tokens. Default false. */
  readonly isFinal?: boolean;
}

/** The tokens that a statement revokes: SQL expressions. */
export interface RevokedNames {
  readonly kind: Exclude<CutoffKind, 'issuer'>;
  /** An array of names. */
  readonly names: string;
  /** The client, if only its tokens are revoked. */
  readonly owner?: string;
}

/**
 * Sessions that one statement ends. It locks their identifiers and those by which their clients know them, each by a lock
 * of its own as long as they are at most 500, so that sessions may have 49 clients each. Of more names it locks those of all
 * tokens, which makes every statement that stores a token wait. Identifiers of sessions alone are not enough: a statement
 * that stores a token with the identifier of a client locks only that.
 */
export const SESSIONS_AT_ONCE = 10;

/** A day more than the longest lifetime of a token, for clock differences. */
export const CUTOFF_LIFETIME_SECONDS = MAX_TOKEN_LIFETIME_SECONDS + 24 * 60 * 60;

/**
 * Builds the statement that revokes self-contained tokens that were issued up to and including a second. The later one
 * of two cut-offs counts. By hand, because it is a part of atomic statements. Rows are written in a fixed order, so that two such statements cannot deadlock.
 */
export function cutoffStatement({ kind, values, second, isFinal = false }: CutoffSource): string {
  return `INSERT INTO revocation_cutoff AS present (kind, value, cutoff, expires_at, is_final)
    SELECT '${kind}', value, to_timestamp(${second}), to_timestamp(${second} + ${CUTOFF_LIFETIME_SECONDS}), ${isFinal}
    FROM (${values}) AS source
    ORDER BY value
    ON CONFLICT (kind, value) DO UPDATE SET
      cutoff = GREATEST(present.cutoff, EXCLUDED.cutoff),
      expires_at = GREATEST(present.expires_at, EXCLUDED.expires_at),
      is_final = present.is_final OR EXCLUDED.is_final`;
}

/**
 * Builds the query that deletes the stored tokens with some names, and returns the names as `value`, for the cut-offs
 * of the same statement. It waits for statements that are storing tokens with these names, and makes later ones wait, so
 * that they see the cut-offs.
 */
export function revokeTokens({ kind, names, owner }: RevokedNames): string {
  const given = [`'${kind}'`, names, ...(owner === undefined ? [] : [owner])];
  return `SELECT value FROM vestibule_revoke_tokens(${given.join(', ')}) AS revoked (value)`;
}

/**
 * Builds the condition for storing a token whose columns are the first parameters of the statement: its session, and the
 * part of its client in the session, have not ended. A statement that ends them waits until the token is stored, and then
 * deletes it.
 * @param since the earliest end that counts, in seconds: a parameter that may be null. Default: any
 */
export function whileSessionOfToken(
  columns: Columns & { readonly clientId: string; readonly sessionId: string },
  since = 'NULL',
): string {
  const [session, client] = [placeholderOf(columns, 'sessionId'), placeholderOf(columns, 'clientId')];
  const earliest = `coalesce(to_timestamp(${since}::float8), '-infinity')`;
  return `vestibule_is_session_over(${session}::text, ${client}::text, ${earliest}) IS NOT TRUE`;
}
