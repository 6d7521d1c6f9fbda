import { type Clock, nowSeconds, parseClientId } from '@vestibule/protocol';
import type { ClientBlocks } from './blocks/client-blocks.js';
import type { Client } from './client.js';
import { isClientExpired } from './client-expiry.js';
import type { ClientRepository } from './client-repository.js';
import { resourceName } from './resource-servers/resource-identifiers.js';

/** Dependencies of finding a client. */
export interface ActiveClientDeps {
  readonly clock: Clock;
  readonly clients: Pick<ClientRepository, 'find'>;
  /** Makes blocked clients unknown at once, while they are deleted in batches. Default: they are known until then. */
  readonly blocks?: Pick<ClientBlocks, 'isBlocked'>;
}

/** Dependencies of finding a resource server by its resource identifier. */
export interface ResourceServerDeps {
  readonly clock: Clock;
  readonly clients: Pick<ClientRepository, 'findByResourceIdentifier'>;
}

/**
 * Finds the client that may take part in flows: registered, active and not expired. `undefined` also if the text cannot
 * be an identifier.
 */
export async function findActiveClient(
  { clients, blocks, clock }: ActiveClientDeps,
  id: unknown,
): Promise<Client | undefined> {
  const clientId = parseClientId(id);
  if (clientId === undefined) return undefined;
  const [client, isBlocked] = await Promise.all([clients.find(clientId), blocks?.isBlocked(clientId)]);
  return client && isBlocked !== true && isActiveClient(client, clock) ? client : undefined;
}

/** A resource server, and its registered resource identifier that matched. */
export interface NamedResourceServer {
  readonly client: Client;
  readonly identifier: string;
}

/** What can be a resource identifier: a URI of bounded length has no other characters. A store may refuse others. */
const RESOURCE_IDENTIFIER = /^[\x21-\x7e]{1,2048}$/;

/** Finds the active client with a resource identifier. */
export async function findResourceServer(
  { clients, clock }: ResourceServerDeps,
  name: string,
): Promise<NamedResourceServer | undefined> {
  if (!RESOURCE_IDENTIFIER.test(name)) return undefined;
  const client = await clients.findByResourceIdentifier(name);
  const identifier = client?.metadata.resource_identifiers?.find(
    (each) => resourceName(each) === resourceName(name),
  );
  if (client === undefined || identifier === undefined) return undefined;
  return isActiveClient(client, clock) ? { client, identifier } : undefined;
}

/** Whether a client may take part in flows: it is active and not expired. */
export function isActiveClient(client: Client, clock: Clock): boolean {
  return client.status === 'active' && !isClientExpired(client, nowSeconds(clock));
}
