import { type Clock, nowSeconds, parseClientId } from '@vestibule/protocol';
import { isClientExpired } from './authorize-management.js';
import type { Client } from './client.js';
import type { ClientRepository } from './client-repository.js';

/** What finding a client takes. */
export interface ActiveClientDeps {
  readonly clock: Clock;
  readonly clients: Pick<ClientRepository, 'find'>;
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
  if (client === undefined || client.status !== 'active') return undefined;
  return isClientExpired(client, nowSeconds(clock)) ? undefined : client;
}
