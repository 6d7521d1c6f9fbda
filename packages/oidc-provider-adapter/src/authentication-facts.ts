import type { ProviderContext } from 'oidc-provider';
import type { TokenFacts } from './access-token-of.js';

/** What an access token is issued from, and knows of the login. */
const SOURCES = ['AuthorizationCode', 'RefreshToken', 'DeviceCode', 'BackchannelAuthenticationRequest'];

/**
 * How and when the end-user logged in, for the hook `extraTokenClaims`: the library keeps that with what an access token
 * is issued from, and not with the token. Empty where no end-user is involved.
 */
export function authenticationFacts({ oidc }: ProviderContext): Pick<TokenFacts, 'acr' | 'authTime'> {
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
