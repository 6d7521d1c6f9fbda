import type { Clock } from '@vestibule/protocol';
import type { Client } from '../client.js';
import type { ClientRepository } from '../client-repository.js';
import { isActiveClient } from '../find-active-client.js';
import { resourceName } from './resource-identifiers.js';

/** Dependencies of finding a resource server by its resource identifier. */
export interface ResourceServerDeps {
  readonly clock: Clock;
  readonly clients: Pick<ClientRepository, 'findByResourceIdentifier'>;
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
