import type { Client, ClientRepository } from '@vestibule/clients';
import type { ClientId } from '@vestibule/protocol';

/** A client as cached or read. */
export interface ClientReading {
  /** `undefined` if the client does not exist or is not cached. */
  readonly client: Client | undefined;
  /**
   * Reads the client from the store; absent if this was read from the store. Cached state may accept a credential but
   * never refuses one: the client may have changed, and timing must not reveal what is cached.
   */
  readonly again?: () => Promise<ClientReading>;
}

/** Reads clients through a cache. */
export type ClientReader = (id: ClientId) => Promise<ClientReading>;

/** Where clients are read from. */
export interface ClientSource {
  readonly clients: Pick<ClientRepository, 'find'>;
  /** Reads clients through a cache. Without it, every request reads them from `clients`. */
  readonly clientReader?: ClientReader;
}

/** Reads a client through the cache, if there is one, or from the store. */
async function readClient({ clients, clientReader }: ClientSource, id: ClientId): Promise<ClientReading> {
  return clientReader === undefined ? { client: await clients.find(id) } : clientReader(id);
}

/** Acceptance from cached state, or the client from the store. */
export type AcceptedOrRead<Accepted> =
  | { readonly accepted: Accepted }
  | { readonly accepted?: undefined; readonly client: Client | undefined };

/**
 * Accepts a client from cached state, or reads it from the store.
 * @param accept returns a value other than `undefined` to accept; only called with cached state
 */
export async function acceptOrRead<Accepted>(
  deps: ClientSource,
  id: ClientId,
  accept: (cached: Client | undefined) => Promise<Accepted | undefined>,
): Promise<AcceptedOrRead<Accepted>> {
  let { client, again } = await readClient(deps, id);
  while (again !== undefined) {
    const accepted = await accept(client);
    if (accepted !== undefined) return { accepted };
    ({ client, again } = await again());
  }
  return { client };
}
