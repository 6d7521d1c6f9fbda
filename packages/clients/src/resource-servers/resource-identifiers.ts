import { type ClientMetadata, invalidMetadata, type MemberName } from '@vestibule/metadata';
import { resourceName } from '@vestibule/metadata/uris';
import type { ClientId, DomainError, Issuer } from '@vestibule/protocol';
import { ENDPOINT_PATH, introspectionEndpoint } from '@vestibule/protocol/constants';
import { parseScope, permitsIntrospection } from '@vestibule/scopes';
import type { Client } from '../client.js';

export { resourceName } from '@vestibule/metadata/uris';

/**
 * The names of a resource server in the audience of a token: its client identifier first, then its resource identifiers
 * with and without a trailing slash, which are equivalent.
 */
export type AudienceNames = readonly [ClientId, ...string[]];

/** Returns the audience names of a client. */
export function audienceNames({ id, metadata }: Pick<Client, 'id' | 'metadata'>): AudienceNames {
  const names = (metadata.resource_identifiers ?? []).map(resourceName);
  return [id, ...names.flatMap((name) => [name, `${name}/`])];
}

/**
 * Whether a client is registered to use the introspection endpoint (introspection/API.md#callers), and so is a resource
 * server.
 */
export function mayIntrospect(
  { grant_types, scope }: Pick<ClientMetadata, 'grant_types' | 'scope'>,
  issuer: Issuer,
) {
  const registered = parseScope(scope ?? '');
  return (
    grant_types.includes('client_credentials') &&
    registered !== undefined &&
    permitsIntrospection(registered, introspectionEndpoint(issuer))
  );
}

/**
 * Refuses a member of a client that is not a resource server.
 * @throws DomainError `invalid_client_metadata`
 */
export function requireResourceServer(metadata: ClientMetadata, issuer: Issuer, member: MemberName): void {
  if (mayIntrospect(metadata, issuer)) return;
  throw invalidMetadata(
    member,
    'needs the grant type client_credentials and the address of the introspection endpoint in scope',
  );
}

/** Removes the members of a resource server from the metadata of a client that is none. */
export function withoutResources(metadata: ClientMetadata, issuer: Issuer): ClientMetadata {
  if (mayIntrospect(metadata, issuer)) return metadata;
  const { resource_identifiers: _identifiers, resource_scopes: _scopes, ...others } = metadata;
  return others;
}

/**
 * Checks that a client with resource identifiers is a resource server, and that none of them is the issuer or an
 * endpoint of ours: tokens for those are meant for nothing else.
 * @throws DomainError `invalid_client_metadata`
 */
export function checkResourceIdentifiers(metadata: ClientMetadata, issuer: Issuer): void {
  const { resource_identifiers: identifiers = [] } = metadata;
  if (identifiers.length === 0) return;
  requireResourceServer(metadata, issuer, 'resource_identifiers');
  const index = identifiers.findIndex((identifier) => isOurs(resourceName(identifier), issuer));
  if (index !== -1)
    throw invalidMetadata(`resource_identifiers[${index}]`, 'must not be an address of this server');
}

/** Whether a URI without a trailing slash is the issuer, an endpoint of ours, or below one. */
export function isOurs(name: string, issuer: Issuer): boolean {
  const endpoints = Object.values(ENDPOINT_PATH).map((path) => issuer + path);
  return (
    name === issuer || endpoints.some((endpoint) => name === endpoint || name.startsWith(`${endpoint}/`))
  );
}

/** The error for a resource identifier that names another client; `taken` is its normalized spelling. */
export function resourceIdentifierRefusal(
  { metadata }: Pick<Client, 'metadata'>,
  taken: string,
): DomainError {
  const index = (metadata.resource_identifiers ?? []).findIndex((each) => resourceName(each) === taken);
  return invalidMetadata(`resource_identifiers[${index}]`, 'must not be the name of another client');
}
