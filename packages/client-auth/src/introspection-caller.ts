import type { Client } from '@vestibule/clients';
import { type AudienceNames, audienceNames, mayIntrospect } from '@vestibule/clients/resource-servers';
import { type ClientId, DomainError, type Issuer } from '@vestibule/protocol';
import { introspectionEndpoint } from '@vestibule/protocol/constants';
import { EMPTY_SCOPE, parseScope, permitsIntrospection } from '@vestibule/scopes';

/** A resource server that may introspect. */
export interface IntrospectionCaller {
  /** The authenticated identity. */
  readonly clientId: ClientId;
  /** The names of the caller in the audience of tokens (introspection/API.md#introspect). */
  readonly audienceNames: AudienceNames;
  /** The client, whose metadata determine its responses. */
  readonly client: Client;
  /** The registered scope. */
  readonly registeredScope: string | undefined;
}

/**
 * Authorizes an authenticated client for the introspection endpoint: it must be registered for `client_credentials` and
 * for a scope with the URL of the endpoint (introspection/API.md#callers).
 *
 * @throws DomainError `access_denied` when it is not.
 */
export function grantIntrospection(client: Client, issuer: Issuer): IntrospectionCaller {
  if (!mayIntrospect(client.metadata, issuer)) throw notRegistered(client, introspectionEndpoint(issuer));
  return callerOf(client);
}

/** Tells an authenticated client what its registration lacks and how to get it. */
function notRegistered({ metadata }: Client, endpoint: string): DomainError {
  const scope = parseScope(metadata.scope ?? '') ?? EMPTY_SCOPE;
  const lacking = [
    ...(metadata.grant_types.includes('client_credentials') ? [] : ['grant type client_credentials']),
    ...(permitsIntrospection(scope, endpoint) ? [] : [`scope value ${endpoint}`]),
  ].join(' and ');
  return new DomainError(
    'access_denied',
    `The client is not registered for ${lacking}. Register it with an initial access token whose scope is client-reg:grant:client client-reg:scope:${endpoint}, or have an operator update it`,
  );
}

/** Builds the caller from a client that may introspect. */
export function callerOf(client: Client): IntrospectionCaller {
  return {
    clientId: client.id,
    audienceNames: audienceNames(client),
    client,
    registeredScope: client.metadata.scope,
  };
}
