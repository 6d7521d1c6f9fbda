import { type ClientMetadata, invalidMetadata } from '@vestibule/metadata';
import { resourceName } from '@vestibule/metadata/uris';
import type { Issuer } from '@vestibule/protocol';
import { OPENID_SCOPES } from '@vestibule/protocol/constants';
import { EMPTY_SCOPE, isRegistrationScope, parseScope, type Scope } from '@vestibule/scopes';
import { isOurs, requireResourceServer } from './resource-identifiers.js';

/**
 * Returns the scope values that a resource server declares. Any client may request them in an authorization request for
 * that resource server (registration/API.md#client-metadata).
 */
export function declaredScope({ resource_scopes: declared = '' }: ClientMetadata): Scope {
  return parseScope(declared) ?? EMPTY_SCOPE;
}

/**
 * Checks that a client that declares scope values is a resource server, and that none of them has a meaning here:
 * values of OpenID Connect, of registration, and addresses of ours, which give access to this server.
 * @throws DomainError `invalid_client_metadata`
 */
export function checkResourceScopes(metadata: ClientMetadata, issuer: Issuer): void {
  const declared = declaredScope(metadata);
  if (declared.size === 0) return;
  requireResourceServer(metadata, issuer, 'resource_scopes');
  if (OPENID_SCOPES.some((value) => declared.has(value)))
    throw invalidMetadata('resource_scopes', 'must not have a scope value of OpenID Connect');
  if (isRegistrationScope(declared))
    throw invalidMetadata('resource_scopes', 'must not have a scope value that registers clients');
  if ([...declared].some((value) => isOurs(resourceName(value), issuer)))
    throw invalidMetadata('resource_scopes', 'must not have an address of this server');
}
