import type { Client, ClientRepository } from '@vestibule/clients';
import type { ClientId } from '@vestibule/protocol';
import type { ClientFacts, ClientWatch } from './client-watch.js';
import { recentEntries } from './recent-entries.js';

/** The clients that are read on every request. */
type Clients = Pick<ClientRepository, 'find' | 'earlierSecrets'>;

interface RememberedClient {
  readonly client: Client;
  readonly facts: ClientFacts;
}

/** How many clients are remembered: those that call, which are few. */
const MAX_CLIENTS = 1_000;

/**
 * Clients that are read once and then remembered for as long as nothing of them changes, and a few seconds longer while
 * nobody can be asked. That there is none is not remembered, and what depends on the time is the reader's to judge.
 */
export function rememberedClients(clients: Clients, watch: ClientWatch): Clients {
  const remembered = recentEntries<RememberedClient>(MAX_CLIENTS);
  const read = async (id: ClientId): Promise<Client | undefined> => {
    const watching = watch.start();
    const client = await clients.find(id);
    if (client === undefined) remembered.delete(id);
    else remembered.set(id, { client, facts: watching(id) });
    return client;
  };
  return {
    find: (id) => {
      const known = remembered.get(id);
      if (known === undefined) return read(id);
      if (known.facts.stillHold()) return Promise.resolve(known.client);
      return watch.orLastResort(read(id), () => (known.facts.heldLately() ? known.client : undefined));
    },
    earlierSecrets: clients.earlierSecrets,
  };
}
