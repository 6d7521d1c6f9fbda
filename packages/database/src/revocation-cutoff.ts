import { MAX_TOKEN_LIFETIME_SECONDS } from '@vestibule/tokens/issuing';

/** Kinds of entities with a cut-off. */
export type CutoffKind = 'client' | 'subject' | 'session' | 'issuer';

/** The entities for which cut-offs are written. */
export interface CutoffSource {
  readonly kind: CutoffKind;
  /** A query whose column `value` contains each entity once. */
  readonly values: string;
  /** The parameter with the time up to which tokens are revoked, in seconds. */
  readonly second: string;
}

/** A day more than the longest lifetime of a token, for clock differences. */
export const CUTOFF_LIFETIME_SECONDS = MAX_TOKEN_LIFETIME_SECONDS + 24 * 60 * 60;

/**
 * Builds the statement that revokes self-contained tokens that were issued up to and including a second. The later one
 * of two cut-offs counts. By hand, because it is a part of atomic statements. Rows are written in a fixed order, so that two such statements cannot deadlock.
 */
export function cutoffStatement({ kind, values, second }: CutoffSource): string {
  return `INSERT INTO revocation_cutoff AS present (kind, value, cutoff, expires_at)
    SELECT '${kind}', value, to_timestamp(${second}), to_timestamp(${second} + ${CUTOFF_LIFETIME_SECONDS})
    FROM (${values}) AS source
    ORDER BY value
    ON CONFLICT (kind, value) DO UPDATE SET
      cutoff = GREATEST(present.cutoff, EXCLUDED.cutoff),
      expires_at = GREATEST(present.expires_at, EXCLUDED.expires_at)`;
}
