/** The kind of artifacts that refer to self-contained tokens. */
export const JWT_KIND = 'SelfContainedToken';

/** The authorizations whose artifacts end. */
export interface EndedArtifacts {
  /** A query for the identifiers of the authorizations. */
  readonly authorizations: string;
  /** The parameter with the time of the end, in seconds. */
  readonly second: string;
}

/**
 * Builds the common table expressions `artifacts` and `self_contained`, which delete the artifacts of authorizations
 * and add their self-contained tokens, which cannot be deleted, to the revoked tokens.
 */
export function endArtifacts({ authorizations, second }: EndedArtifacts): string {
  return `artifacts AS (
    DELETE FROM artifact WHERE authorization_id IN (${authorizations}) RETURNING kind, payload, expires_at
  ), self_contained AS (
    INSERT INTO revoked_token (issuer, jti, expires_at, revoked_at)
    SELECT payload->>'iss', payload->>'jti', expires_at, to_timestamp(${second}) FROM artifacts
    WHERE kind = '${JWT_KIND}' AND expires_at > to_timestamp(${second})
    ORDER BY 1, 2
    ON CONFLICT (issuer, jti) DO NOTHING
  )`;
}
