import type { TokenFacts } from './access-token-of.js';

/** The part of the library's request context that is read; the library brings no types of its own. */
interface RequestContext {
  readonly oidc: { readonly entities: Readonly<Record<string, unknown>> };
}

/** What an access token is issued from, and knows of the login. */
const SOURCES = ['AuthorizationCode', 'RefreshToken', 'DeviceCode', 'BackchannelAuthenticationRequest'];

/**
 * How and when the end-user logged in, for the hook `extraTokenClaims`: the library keeps that with what an access token
 * is issued from, and not with the token. Empty where no end-user is involved.
 */
export function authenticationFacts({ oidc }: RequestContext): Pick<TokenFacts, 'acr' | 'authTime'> {
  for (const name of SOURCES) {
    const source = oidc.entities[name];
    if (source === null || typeof source !== 'object') continue;
    const { acr, authTime }: { readonly acr?: unknown; readonly authTime?: unknown } = source;
    return {
      ...(typeof acr === 'string' && { acr }),
      ...(typeof authTime === 'number' && { authTime }),
    };
  }
  return {};
}
