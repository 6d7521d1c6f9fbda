import { type ClientId, nowSeconds } from '@vestibule/protocol';
import type { ClientOwner } from '../client-owner.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import type { FileAuthority } from './evaluate-client.js';
import type { OwnedClients } from './owned-clients.js';

const BATCH_SIZE = 500;

/** Lists the clients of an owner that its files do not contain, in the order of their identifiers. */
export async function* clientsBeyondFiles(
  owned: Pick<OwnedClients, 'find'>,
  owner: ClientOwner,
  isDeclared: (id: ClientId) => boolean,
): AsyncGenerator<ClientId> {
  let after: ClientId | undefined;
  do {
    const found = await owned.find(owner, { limit: BATCH_SIZE, ...(after !== undefined && { after }) });
    for (const id of found) if (!isDeclared(id)) yield id;
    after = found.at(-1);
  } while (after !== undefined);
}

/**
 * Deletes a client with everything that was issued to it, if the owner still owns it. Returns false otherwise, and
 * deletes nothing.
 */
export async function deleteOwnedClient(
  { clients, clock }: Pick<RegistrationDeps, 'clients' | 'clock'>,
  id: ClientId,
  { owner, operator }: Pick<FileAuthority, 'owner' | 'operator'>,
): Promise<boolean> {
  for (;;) {
    const client = await clients.find(id);
    if (client?.ownership?.owner !== owner) return false;
    // False if the client has changed in the meantime: its owner too, perhaps.
    if (await clients.delete(id, nowSeconds(clock), { actor: operator, ifVersion: client.version }))
      return true;
  }
}
