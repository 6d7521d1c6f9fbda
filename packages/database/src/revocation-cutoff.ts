import { MAX_TOKEN_LIFETIME_SECONDS } from '@vestibule/tokens';

/** What a cutoff is about. */
export type CutoffKind = 'client' | 'subject' | 'session' | 'issuer';

/** What cutoffs are written for. */
export interface CutoffSource {
  readonly kind: CutoffKind;
  /** A query whose column `value` names each of them once. */
  readonly values: string;
  /** The parameter with the second up to which tokens are revoked. */
  readonly second: string;
}

/** A day more than the longest life of a token, for clocks that disagree. */
export const CUTOFF_LIFETIME_SECONDS = MAX_TOKEN_LIFETIME_SECONDS + 24 * 60 * 60;

/**
 * The statement that revokes self-contained tokens issued up to and including a second. Of two cutoffs the later one
 * holds, whichever came first. In one order, so that two such statements cannot wait for each other.
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
