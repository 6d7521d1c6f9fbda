import { type Clock, nowSeconds, parseClientId } from '@vestibule/protocol';
import type { ClientBlocks } from './blocks/client-blocks.js';
import type { Client } from './client.js';
import { isClientExpired } from './client-expiry.js';
import type { ClientRepository } from './client-repository.js';

/** Dependencies of finding a client. */
export interface ActiveClientDeps {
  readonly clock: Clock;
  readonly clients: Pick<ClientRepository, 'find'>;
  /** Makes blocked clients unknown at once, while they are deleted in batches. Default: they are known until then. */
  readonly blocks?: Pick<ClientBlocks, 'isBlocked'>;
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

/** Whether a client may take part in flows: it is active and not expired. */
export function isActiveClient(client: Client, clock: Clock): boolean {
  return client.status === 'active' && !isClientExpired(client, nowSeconds(clock));
}
