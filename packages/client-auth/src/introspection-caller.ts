import type { Client } from '@vestibule/clients';
import { type ClientId, DomainError, type Issuer, introspectionEndpoint } from '@vestibule/protocol';
import { parseScope, permitsIntrospection } from '@vestibule/scopes';

/** A resource server that may introspect. */
export interface IntrospectionCaller {
  /** Its identity in the audience of tokens (Seed 4.6). */
  readonly clientId: ClientId;
  /** The client that it is, which says how it wants its answers. */
  readonly client: Client;
  /** The scope that it registered. */
  readonly registeredScope: string | undefined;
}

/**
 * Grants an authenticated client the use of the introspection endpoint: it is registered for `client_credentials` and
 * for a scope that includes the address of the endpoint (Seed 5.2.1).
 *
 * @throws DomainError `access_denied` when it is not.
 */
export function grantIntrospection(client: Client, issuer: Issuer): IntrospectionCaller {
  const { grant_types, scope } = client.metadata;
  const registered = parseScope(scope ?? '');
  const permitted =
    grant_types.includes('client_credentials') &&
    registered !== undefined &&
    permitsIntrospection(registered, introspectionEndpoint(issuer));
  if (!permitted)
    throw new DomainError('access_denied', 'The client is not registered to use the introspection endpoint');
  return callerOf(client);
}

/** A client that may introspect. */
export function callerOf(client: Client): IntrospectionCaller {
  return { clientId: client.id, client, registeredScope: client.metadata.scope };
}
