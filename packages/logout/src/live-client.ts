import { type Client, type ClientRepository, isClientExpired } from '@vestibule/clients';
import { type ClientId, type Clock, nowSeconds } from '@vestibule/protocol';

/** What finding a client takes. */
export interface LiveClientDeps {
  readonly clock: Clock;
  readonly clients: Pick<ClientRepository, 'find'>;
}

/** A client that may send end-users somewhere: registered, approved and not expired. */
export async function liveClient(
  { clients, clock }: LiveClientDeps,
  id: ClientId,
): Promise<Client | undefined> {
  const client = await clients.find(id);
  if (client === undefined || client.status !== 'active') return undefined;
  return isClientExpired(client, nowSeconds(clock)) ? undefined : client;
}
