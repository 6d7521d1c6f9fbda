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

/** Creates the identity of a resource. Headers are made once for each cached token and signed token. */
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
  const signed = new WeakMap<AccessToken, HeaderFields>();
  const signedHeaders = (token: AccessToken, text: string): HeaderFields => {
    const authorization = `Bearer ${text}`;
    const known = signed.get(token);
    if (known?.['Authorization'] === authorization) return known;
    const headers = { ...headersOf(token), Authorization: authorization };
    signed.set(token, headers);
    return headers;
  };
  return {
    of: (token) => {
      const text = sign(token);
      if (typeof text === 'string') return signedHeaders(token, text);
      return text.then((later) => signedHeaders(token, later));
    },
    none: { ...NO_IDENTITY, Authorization: '' },
  };
}
