import { ENDPOINT_PATH, type Issuer } from '@vestibule/protocol';

/** What `aud` of a client assertion may be: our issuer alone, or the address of an endpoint as well. */
export type AssertionAudience = 'issuer' | 'issuer_or_endpoint';

/**
 * The addresses that may stand in `aud` in place of the issuer: the token endpoint's (OpenID Connect Core 1.0 section
 * 9), wherever the assertion is sent, and that of the endpoint that it is sent to.
 * @param called The path of that endpoint below the issuer.
 */
export function endpointAudiences(
  rule: AssertionAudience,
  issuer: Issuer,
  called: string,
): readonly string[] {
  if (rule === 'issuer') return [];
  return [...new Set([ENDPOINT_PATH.token, called])].map((path) => issuer + path);
}
