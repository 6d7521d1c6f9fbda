import type { ClientMetadata } from '@vestibule/metadata';
import {
  type GrantedScopes,
  OPEN_SCOPES,
  subtractGrantedScopes,
  uniteGrantedScopes,
} from '@vestibule/scopes';
import type { Client } from '../client.js';
import { type RequestedRegistration, scopesCovering } from './check-granted-scopes.js';
import type { RegistrationAuthority } from './registration-authority.js';

/**
 * The granted scopes of a new client. With an initial access token they are the token's. A client registered by an
 * operator gets what its registration uses in addition to the granted scopes of open registration, and no right to
 * change `data`.
 */
export function grantedScopesAtRegistration(
  { kind, grantedScopes }: RegistrationAuthority,
  metadata: ClientMetadata,
): GrantedScopes {
  return kind === 'master' || kind === 'operator' ? scopesInUse(metadata) : grantedScopes;
}

/**
 * The granted scopes that limit a client's updates with its own registration access token. Unlimited granted scopes
 * count only if an initial access token gave them: in earlier versions, clients registered with the master token had
 * them too.
 */
export function grantedScopesOfClient({ grantedScopes, registrar, metadata }: Client): GrantedScopes {
  const isUnlimited = grantedScopes.grantTypes === 'any';
  return isUnlimited && registrar !== 'initial_access_token' ? scopesInUse(metadata) : grantedScopes;
}

/**
 * The granted scopes of a client after an update with the master token. The client can keep what the update adds and
 * cannot put back what it removes; granted scopes that neither registration uses stay. Setting `data` gives no right to
 * change it.
 */
export function grantedScopesAfterOperatorUpdate(client: Client, next: RequestedRegistration): GrantedScopes {
  const grantedScopes = grantedScopesOfClient(client);
  const others = subtractGrantedScopes(grantedScopes, scopesCovering(client));
  const used = scopesCovering(next);
  return uniteGrantedScopes(others, { ...used, data: used.data && grantedScopes.data });
}

function scopesInUse(metadata: ClientMetadata): GrantedScopes {
  return uniteGrantedScopes(OPEN_SCOPES, scopesCovering({ metadata }));
}
