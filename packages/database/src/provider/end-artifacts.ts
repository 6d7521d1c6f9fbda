/** The kind of the artifacts that name self-contained tokens. */
export const JWT_KIND = 'SelfContainedToken';

/** What is ended with an authorisation. */
export interface EndedArtifacts {
  /** A query for the identifiers of the authorisations. */
  readonly authorizations: string;
  /** The parameter with the second of the end. */
  readonly second: string;
}

/**
 * Parts of a WITH list, named `artifacts` and `self_contained`: deletes the codes and the like of authorisations;
 * self-contained tokens, which cannot be deleted, go by name to those that are revoked.
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
