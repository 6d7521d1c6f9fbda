import { type AudienceNames, audienceNames, type Client, mayIntrospect } from '@vestibule/clients';
import { type ClientId, DomainError, type Issuer } from '@vestibule/protocol';

/** A resource server that may introspect. */
export interface IntrospectionCaller {
  /** The identity that it proved. */
  readonly clientId: ClientId;
  /** What it is called in the audience of tokens (Seed 4.6). */
  readonly audienceNames: AudienceNames;
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
  if (!mayIntrospect(client.metadata, issuer))
    throw new DomainError('access_denied', 'The client is not registered to use the introspection endpoint');
  return callerOf(client);
}

/** A client that may introspect. */
export function callerOf(client: Client): IntrospectionCaller {
  return {
    clientId: client.id,
    audienceNames: audienceNames(client),
    client,
    registeredScope: client.metadata.scope,
  };
}
