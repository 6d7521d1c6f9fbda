import { type ClientMetadata, invalidMetadata, resourceName } from '@vestibule/metadata';
import {
  type ClientId,
  type DomainError,
  ENDPOINT_PATH,
  type Issuer,
  introspectionEndpoint,
} from '@vestibule/protocol';
import { parseScope, permitsIntrospection } from '@vestibule/scopes';
import type { Client } from './client.js';

export { resourceName } from '@vestibule/metadata';

/**
 * The names that a resource server may have in the audience of a token: its client identifier first, then its
 * resource identifiers in each spelling, since a slash at the end makes no difference.
 */
export type AudienceNames = readonly [ClientId, ...string[]];

/** The names of a client as a resource server. */
export function audienceNames({ id, metadata }: Pick<Client, 'id' | 'metadata'>): AudienceNames {
  const names = (metadata.resource_identifiers ?? []).map(resourceName);
  return [id, ...names.flatMap((name) => [name, `${name}/`])];
}

/**
 * Whether a client is registered to use the introspection endpoint (introspection/API.md#callers): a resource server.
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
 * Checks that a client which names itself as a resource server is one, and that it takes no name of ours: tokens for
 * the issuer and its endpoints are meant for nobody else.
 * @throws DomainError `invalid_client_metadata`
 */
export function checkResourceIdentifiers(metadata: ClientMetadata, issuer: Issuer): void {
  const { resource_identifiers: identifiers = [] } = metadata;
  if (identifiers.length === 0) return;
  if (!mayIntrospect(metadata, issuer)) {
    throw invalidMetadata(
      'resource_identifiers',
      'needs the grant type client_credentials and the address of the introspection endpoint in scope',
    );
  }
  const index = identifiers.findIndex((identifier) => isOurs(resourceName(identifier), issuer));
  if (index !== -1)
    throw invalidMetadata(`resource_identifiers[${index}]`, 'must not be an address of this server');
}

function isOurs(name: string, issuer: Issuer): boolean {
  const endpoints = Object.values(ENDPOINT_PATH).map((path) => issuer + path);
  return (
    name === issuer || endpoints.some((endpoint) => name === endpoint || name.startsWith(`${endpoint}/`))
  );
}

/** The refusal of a resource identifier that names another client; `taken` is its one spelling. */
export function resourceIdentifierRefusal(
  { metadata }: Pick<Client, 'metadata'>,
  taken: string,
): DomainError {
  const index = (metadata.resource_identifiers ?? []).findIndex((each) => resourceName(each) === taken);
  return invalidMetadata(`resource_identifiers[${index}]`, 'must not be the name of another client');
}
