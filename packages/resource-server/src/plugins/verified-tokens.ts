import type { AccessToken } from '../verification/access-token.js';

/** The tokens of requests that were accepted. */
export interface VerifiedTokens {
  note(request: object, token: AccessToken): void;
  /** @throws TypeError when no plug-in accepted the request: the route is not protected */
  of(request: object): AccessToken;
}

/** Creates an empty collection. It holds no request longer than others do. */
export function verifiedTokens(): VerifiedTokens {
  const tokens = new WeakMap<object, AccessToken>();
  return {
    note: (request, token) => void tokens.set(request, token),
    of: (request) => {
      const token = tokens.get(request);
      if (token === undefined)
        throw new TypeError('the route is not protected: no access token was verified');
      return token;
    },
  };
}
