import type { Client, ClientRepository } from '@vestibule/clients';
import type { ClientId } from '@vestibule/protocol';
import type { ClientReader, ClientReading } from './client-reading.js';
import type { ClientFacts, ClientWatch } from './client-watch.js';
import { recentEntries } from './recent-entries.js';

interface RememberedClient {
  readonly client: Client;
  readonly facts: ClientFacts;
}

/** How many clients are remembered: those that call, which are few. */
const MAX_CLIENTS = 1_000;

/**
 * Reads clients by way of a memory: what is remembered for as long as nothing of the client changes, then what the store
 * says. While the store does not answer, what held within the last seconds comes in between. The steps are the same for
 * a client that does not exist.
 */
export function rememberedClients(clients: Pick<ClientRepository, 'find'>, watch: ClientWatch): ClientReader {
  const remembered = recentEntries<RememberedClient>(MAX_CLIENTS);
  const readStore = async (id: ClientId): Promise<ClientReading> => {
    const watching = watch.start();
    const client = await clients.find(id);
    // A hash is verified against what the store says, and once: its client is read each time until it has a secret.
    if (client === undefined || client.secretHash !== undefined) remembered.delete(id);
    else remembered.set(id, { client, facts: watching(id) });
    return { client };
  };
  const readAgain = (id: ClientId, known: RememberedClient | undefined): Promise<ClientReading> => {
    const read = readStore(id);
    return watch.orStaleFallback(read, () =>
      known?.facts.heldLately() ? { client: known.client, again: () => read } : undefined,
    );
  };
  return async (id) => {
    const known = remembered.get(id);
    if (known?.facts.stillHold()) return { client: known.client, again: () => readAgain(id, undefined) };
    return { client: undefined, again: () => readAgain(id, known) };
  };
}
