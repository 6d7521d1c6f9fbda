import { constantTimeEquals } from '@vestibule/crypto';
import type { ClientId } from '@vestibule/protocol';
import type { Client, EarlierClientSecret } from '../client.js';
import type { ClientRepository } from '../client-repository.js';
import type { InMemoryInitialAccessTokenStore } from './in-memory-initial-access-token-store.js';

/** Clients in memory, two a page, for the tests of the operations. */
export function inMemoryClientRepository(
  initialAccessTokens: InMemoryInitialAccessTokenStore,
): ClientRepository {
  const clients = new Map<ClientId, Client>();
  const earlier = new Map<ClientId, readonly EarlierClientSecret[]>();
  return {
    find: async (id) => clients.get(id),
    create: async (client, spending) => {
      if (clients.has(client.id)) return 'id_taken';
      if (spending && !initialAccessTokens.spend(spending.candidates, spending.now))
        return 'token_not_usable';
      clients.set(client.id, client);
      return 'created';
    },
    replace: async ({ client, earlierSecret }) => {
      if (clients.get(client.id)?.version !== client.version - 1) return false;
      clients.set(client.id, client);
      if (earlierSecret) earlier.set(client.id, [earlierSecret, ...(earlier.get(client.id) ?? [])]);
      return true;
    },
    forgetPreviousRegistrationToken: async (id, current) => {
      const client = clients.get(id);
      if (!client?.registrationToken || !constantTimeEquals(client.registrationToken.digest, current)) return;
      const { previous: _previous, ...registrationToken } = client.registrationToken;
      clients.set(id, { ...client, registrationToken });
    },
    delete: async (id) => clients.delete(id),
    list: async function* () {
      const all = [...clients.values()];
      for (let start = 0; start < all.length; start += 2) yield all.slice(start, start + 2);
    },
    earlierSecrets: async (id, now) => (earlier.get(id) ?? []).filter(({ keptUntil }) => keptUntil > now),
  };
}
