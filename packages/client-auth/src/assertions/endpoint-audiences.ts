import type { Issuer } from '@vestibule/protocol';
import { ENDPOINT_PATH } from '@vestibule/protocol/constants';

/** Accepted `aud` of a client assertion: only our issuer, or also the URL of an endpoint. */
export type AssertionAudience = 'issuer' | 'issuer_or_endpoint';

/**
 * Returns the URLs that are accepted as `aud` instead of the issuer: the token endpoint's (OpenID Connect Core 1.0
 * section 9), and that of the called endpoint.
 * @param called Path of the called endpoint below the issuer.
 */
export function endpointAudiences(
  rule: AssertionAudience,
  issuer: Issuer,
  called: string,
): readonly string[] {
  if (rule === 'issuer') return [];
  return [...new Set([ENDPOINT_PATH.token, called])].map((path) => issuer + path);
}
