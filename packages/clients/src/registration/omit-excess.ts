import type { ClientMetadata, SupportedMetadata } from '@vestibule/metadata';
import type { Issuer } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { type GrantedScopes, permitsGrantType } from '@vestibule/scopes';
import { withoutResources } from '../resource-servers/resource-identifiers.js';
import { permittedScope } from './check-granted-scopes.js';
import type { RegistrationRequest } from './registration-request.js';

/** A registration that can be reduced to what its granted scopes cover. */
export interface ReducibleRegistration {
  readonly request: RegistrationRequest;
  readonly metadata: ClientMetadata;
}

/**
 * Removes requested grant types that the server does not know, such as those of devices. If none would be left, the
 * request stays as it is.
 */
export function omitUnknownGrantTypes(requested: JsonObject, { grantTypes }: SupportedMetadata): JsonObject {
  const { grant_types: named } = requested;
  if (!Array.isArray(named)) return requested;
  const known = named.filter((name) => grantTypes.some((grantType) => grantType === name));
  return known.length === 0 ? requested : { ...requested, grant_types: known };
}

/**
 * Removes what the granted scopes do not cover: grant types, scope values, `data`, presets, and the members of a
 * resource server if the client is none without them. If no grant type would be left, the registration stays whole,
 * since the client could do nothing.
 */
export function omitExcess(
  grantedScopes: GrantedScopes,
  { request, metadata }: ReducibleRegistration,
  issuer: Issuer,
): ReducibleRegistration {
  const grantTypes = metadata.grant_types.filter((grantType) => permitsGrantType(grantedScopes, grantType));
  if (grantTypes.length === 0 && metadata.grant_types.length > 0) return { request, metadata };
  const { scope: _requested, ...others } = metadata;
  const { values } = permittedScope(grantedScopes, metadata);
  const { data, preferredId, preferredSecret, ...plain } = request;
  const permitted = {
    ...others,
    grant_types: grantTypes,
    ...(values.length > 0 && { scope: values.join(' ') }),
  };
  return {
    request: {
      ...plain,
      ...(grantedScopes.data && data !== undefined && { data }),
      ...(grantedScopes.setId && preferredId !== undefined && { preferredId }),
      ...(grantedScopes.setSecret && preferredSecret !== undefined && { preferredSecret }),
    },
    metadata: withoutResources(permitted, issuer),
  };
}
