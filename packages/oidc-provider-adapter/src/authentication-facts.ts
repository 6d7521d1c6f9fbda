import type { TokenFacts } from './access-token-of.js';

/** The part of the library's request context that is read; the library has no types of its own. */
interface RequestContext {
  readonly oidc: { readonly entities: Readonly<Record<string, unknown>> };
}

/** The entities that an access token is issued from, which know the login. */
const SOURCES = ['AuthorizationCode', 'RefreshToken', 'DeviceCode', 'BackchannelAuthenticationRequest'];

/**
 * Class and time of the login, for the hook `extraTokenClaims`: the library keeps them with the entity that an access
 * token is issued from, and not with the token. Empty without an end-user.
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
