import type { Client, ClientRepository } from '@vestibule/clients';
import type { ClientId } from '@vestibule/protocol';
import { boundedMap } from '@vestibule/protocol/runtime';
import type { ClientReader, ClientReading } from './client-reading.js';
import type { ClientValidity, ClientWatch } from './client-watch.js';

interface CachedClient {
  readonly client: Client;
  readonly validity: ClientValidity;
}

/** Maximum number of cached clients: only those that call this endpoint, which are few. */
const MAX_CLIENTS = 1_000;

/**
 * Reads clients through a cache: first the cached state while the client has not changed, then the store. While the
 * store does not respond, state that was valid within the last seconds is used in between. The steps are the same for
 * an unknown client.
 */
export function cachedClients(clients: Pick<ClientRepository, 'find'>, watch: ClientWatch): ClientReader {
  const cache = boundedMap<ClientId, CachedClient>({ maxEntries: MAX_CLIENTS });
  const readStore = async (id: ClientId): Promise<ClientReading> => {
    const watching = watch.start();
    const client = await clients.find(id);
    // A hash is verified against the store, and once: the client is read each time until it has a secret.
    if (client === undefined || client.secretHash !== undefined) cache.delete(id);
    else cache.set(id, { client, validity: watching(id) });
    return { client };
  };
  const readAgain = (id: ClientId, known: CachedClient | undefined): Promise<ClientReading> => {
    const read = readStore(id);
    return watch.orStaleFallback(read, () =>
      known?.validity.wasRecentlyCurrent() ? { client: known.client, again: () => read } : undefined,
    );
  };
  return async (id) => {
    const known = cache.get(id);
    if (known?.validity.isCurrent()) return { client: known.client, again: () => readAgain(id, undefined) };
    return { client: undefined, again: () => readAgain(id, known) };
  };
}
