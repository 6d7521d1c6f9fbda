import { type Clock, nowSeconds, parseClientId } from '@vestibule/protocol';
import { isClientExpired } from './authorize-management.js';
import type { Client } from './client.js';
import type { ClientRepository } from './client-repository.js';
import { resourceName } from './resource-identifiers.js';

/** What finding a client takes. */
export interface ActiveClientDeps {
  readonly clock: Clock;
  readonly clients: Pick<ClientRepository, 'find'>;
}

/** What finding a resource server by its resource identifier takes. */
export interface ResourceServerDeps {
  readonly clock: Clock;
  readonly clients: Pick<ClientRepository, 'findByResourceIdentifier'>;
}

/**
 * The client that may take part in flows under an identifier from outside: registered, approved and not expired.
 * `undefined` when there is none, or the text is no identifier.
 */
export async function findActiveClient(
  { clients, clock }: ActiveClientDeps,
  id: unknown,
): Promise<Client | undefined> {
  const clientId = parseClientId(id);
  const client = clientId && (await clients.find(clientId));
  return client && isActive(client, clock) ? client : undefined;
}

/** A resource server, and the resource identifier that it was found by, as it is registered. */
export interface NamedResourceServer {
  readonly client: Client;
  readonly identifier: string;
}

/** The active client that a resource identifier names; `undefined` when there is none. */
export async function findResourceServer(
  { clients, clock }: ResourceServerDeps,
  name: string,
): Promise<NamedResourceServer | undefined> {
  const client = await clients.findByResourceIdentifier(name);
  const identifier = client?.metadata.resource_identifiers?.find(
    (each) => resourceName(each) === resourceName(name),
  );
  if (client === undefined || identifier === undefined) return undefined;
  return isActive(client, clock) ? { client, identifier } : undefined;
}

function isActive(client: Client, clock: Clock): boolean {
  return client.status === 'active' && !isClientExpired(client, nowSeconds(clock));
}
