import type { ClientId } from '@vestibule/protocol';
import type { Client } from '../client.js';
import type { ClientRepository } from '../client-repository.js';

/**
 * Clients as they would be after what is created and replaced here: nothing of it reaches the repository, all of it is
 * kept in memory, some 3 KB a client.
 */
export function rehearsedClients(clients: ClientRepository): ClientRepository {
  const rehearsed = new Map<ClientId, Client>();
  const find = async (id: ClientId) => rehearsed.get(id) ?? clients.find(id);
  return {
    ...clients,
    find,
    create: async (client) => {
      if ((await find(client.id)) !== undefined) return 'id_taken';
      rehearsed.set(client.id, client);
      return 'created';
    },
    replace: async ({ client }) => {
      if ((await find(client.id))?.version !== client.version - 1) return false;
      rehearsed.set(client.id, client);
      return true;
    },
  };
}
