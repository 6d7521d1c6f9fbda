import { type ActiveClientDeps, type Client, findActiveClient } from '@vestibule/clients';
import { findResourceServer, type ResourceServerDeps } from '@vestibule/clients/resource-servers';
import type { Issuer } from '@vestibule/protocol';
import { introspectionEndpoint, registrationEndpoint } from '@vestibule/protocol/constants';
import { EMPTY_SCOPE, parseScope, permitsIntrospection } from '@vestibule/scopes';

/** Dependencies of finding a resource. */
export interface ResourceDeps extends Pick<ActiveClientDeps, 'clock'> {
  readonly issuer: Issuer;
  readonly clients: ActiveClientDeps['clients'] & ResourceServerDeps['clients'];
}

/** Maximum number of resources in one request. */
export const MAX_RESOURCES = 10;

/** A registered resource server, as a request names it. */
export interface Resource {
  readonly client: Client;
  /** The audience of its tokens: the resource identifier as registered, or the identifier of the client. */
  readonly audience: string;
}

/**
 * Finds the resource server that a request names (RFC 8707 section 2) by its registration address, its client
 * identifier or one of its resource identifiers, which a trailing slash does not distinguish.
 */
export async function findResource(deps: ResourceDeps, name: string): Promise<Resource | undefined> {
  const { issuer } = deps;
  const prefix = `${registrationEndpoint(issuer)}/`;
  const id = name.startsWith(prefix) ? decoded(name.slice(prefix.length)) : name;
  const client = await findActiveClient(deps, id);
  if (client !== undefined && isResourceServer(client, issuer)) return { client, audience: client.id };
  const named = await findResourceServer(deps, name);
  if (named === undefined || !isResourceServer(named.client, issuer)) return undefined;
  return { client: named.client, audience: named.identifier };
}

function isResourceServer({ metadata }: Client, issuer: Issuer): boolean {
  return permitsIntrospection(parseScope(metadata.scope ?? '') ?? EMPTY_SCOPE, introspectionEndpoint(issuer));
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
