import { type AudienceNames, audienceNames, type Client, mayIntrospect } from '@vestibule/clients';
import { type ClientId, DomainError, type Issuer, introspectionEndpoint } from '@vestibule/protocol';
import { EMPTY_SCOPE, parseScope, permitsIntrospection } from '@vestibule/scopes';

/** A resource server that may introspect. */
export interface IntrospectionCaller {
  /** The identity that it proved. */
  readonly clientId: ClientId;
  /** What it is called in the audience of tokens (introspection/API.md#introspect). */
  readonly audienceNames: AudienceNames;
  /** The client that it is, which says how it wants its responses. */
  readonly client: Client;
  /** The scope that it registered. */
  readonly registeredScope: string | undefined;
}

/**
 * Grants an authenticated client the use of the introspection endpoint: it is registered for `client_credentials` and
 * for a scope that includes the address of the endpoint (introspection/API.md#callers).
 *
 * @throws DomainError `access_denied` when it is not.
 */
export function grantIntrospection(client: Client, issuer: Issuer): IntrospectionCaller {
  if (!mayIntrospect(client.metadata, issuer)) throw notRegistered(client, introspectionEndpoint(issuer));
  return callerOf(client);
}

/** Told to an authenticated client alone: what its registration lacks, and how it gets that. */
function notRegistered({ metadata }: Client, endpoint: string): DomainError {
  const scope = parseScope(metadata.scope ?? '') ?? EMPTY_SCOPE;
  const lacking = [
    ...(metadata.grant_types.includes('client_credentials') ? [] : ['grant type client_credentials']),
    ...(permitsIntrospection(scope, endpoint) ? [] : [`scope value ${endpoint}`]),
  ].join(' and ');
  return new DomainError(
    'access_denied',
    `The client is not registered for ${lacking}. Register it so with an initial access token whose scope is client-reg:grant:client client-reg:scope:${endpoint}, or have an operator update it`,
  );
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
