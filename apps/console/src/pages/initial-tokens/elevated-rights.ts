import { type GrantedScopes, parseGrantedScopes, parseScope } from '@vestibule/scopes';
import type { Role } from '../../frame/operator.js';

/**
 * The role that may issue and revoke a token with these rights. An admin is required for every right at once, and for
 * choosing identifiers and secrets, by which a client can take the place of another one.
 */
export function roleForGrantedScopes(grantedScopes: GrantedScopes): Role {
  return grantedScopes.grantTypes === 'any' || grantedScopes.setId || grantedScopes.setSecret
    ? 'admin'
    : 'operator';
}

/** The same for a stored scope. */
export function roleForScope(scope: string): Role {
  const parsed = parseScope(scope);
  return parsed === undefined ? 'admin' : roleForGrantedScopes(parseGrantedScopes(parsed));
}
