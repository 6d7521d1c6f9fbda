import type { Client } from '@vestibule/clients';
import type { ClientId } from '@vestibule/protocol';
import type { ClientAuthDeps } from './client-auth-deps.js';

/** What is known of a client at a moment. */
export interface ClientReading {
  /** `undefined` where there is no such client, or nothing is remembered of it. */
  readonly client: Client | undefined;
  /**
   * Reads the client once more; absent where the store itself was read just now. A reading that has this may accept a
   * credential. It never refuses one: the client may have changed since, and time must not tell what is remembered.
   */
  readonly again?: () => Promise<ClientReading>;
}

/** Reads clients by way of a memory. */
export type ClientReader = (id: ClientId) => Promise<ClientReading>;

/** Reads a client as the dependencies say: by way of a memory, or straight from the store. */
async function readClient(
  { clients, clientReader }: Pick<ClientAuthDeps, 'clients' | 'clientReader'>,
  id: ClientId,
): Promise<ClientReading> {
  return clientReader === undefined ? { client: await clients.find(id) } : clientReader(id);
}

/** A client that was accepted as it is remembered, or else what the store says. */
export type AcceptedOrRead<Accepted> =
  | { readonly accepted: Accepted }
  | { readonly accepted?: undefined; readonly client: Client | undefined };

/**
 * Lets what is remembered of a client accept it, and reads the store where it does not.
 * @param accept gives what is not `undefined` where the client is accepted; is not asked about what the store says
 */
export async function acceptOrRead<Accepted>(
  deps: Pick<ClientAuthDeps, 'clients' | 'clientReader'>,
  id: ClientId,
  accept: (remembered: Client | undefined) => Promise<Accepted | undefined>,
): Promise<AcceptedOrRead<Accepted>> {
  let { client, again } = await readClient(deps, id);
  while (again !== undefined) {
    const accepted = await accept(client);
    if (accepted !== undefined) return { accepted };
    ({ client, again } = await again());
  }
  return { client };
}
