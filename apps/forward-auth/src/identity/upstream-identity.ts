import type { AccessToken } from '@vestibule/resource-server';
import type { HeaderFields } from '../decision.js';
import { identityHeaders, NO_IDENTITY } from './identity-headers.js';
import type { SignUpstreamToken } from './upstream-token.js';

/** What a request tells the upstream of one resource. */
export interface UpstreamIdentity {
  /** Headers of a request with an access token. */
  of(token: AccessToken): HeaderFields | Promise<HeaderFields>;
  /** Headers of a request without one. */
  readonly none: HeaderFields;
}

/** Settings of {@link upstreamIdentity}. */
export interface UpstreamIdentityOptions {
  /** Whether the identity headers have values. Otherwise they are sent empty. */
  readonly hasHeaders: boolean;
  /** Replaces `Authorization` by a signed token; `undefined` to leave it as it is. */
  readonly sign: SignUpstreamToken | undefined;
}

/** Creates the identity of a resource. Headers are made once for each remembered token. */
export function upstreamIdentity({ hasHeaders, sign }: UpstreamIdentityOptions): UpstreamIdentity {
  const made = new WeakMap<AccessToken, HeaderFields>();
  const headersOf = (token: AccessToken): HeaderFields => {
    if (!hasHeaders) return NO_IDENTITY;
    const known = made.get(token);
    if (known !== undefined) return known;
    const headers = identityHeaders(token);
    made.set(token, headers);
    return headers;
  };
  if (sign === undefined) return { of: headersOf, none: NO_IDENTITY };
  return {
    of: async (token) => ({ ...headersOf(token), Authorization: `Bearer ${await sign(token)}` }),
    none: { ...NO_IDENTITY, Authorization: '' },
  };
}
