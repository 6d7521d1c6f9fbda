import { constantTimeEquals } from '@vestibule/crypto';
import type { ClientId, EpochSeconds } from '@vestibule/protocol';
import type { Client, EarlierClientSecret } from '../client.js';
import type { ClientRepository, UnusedClients } from '../client-repository.js';
import type { InMemoryInitialAccessTokenStore } from './in-memory-initial-access-token-store.js';

/** Clients in memory, two a page, for the tests of the operations. */
export function inMemoryClientRepository(
  initialAccessTokens: InMemoryInitialAccessTokenStore,
): ClientRepository {
  const clients = new Map<ClientId, Client>();
  const earlier = new Map<ClientId, readonly EarlierClientSecret[]>();
  return {
    find: async (id) => clients.get(id),
    create: async (client, spending, { maxUnusedOpenClients = Number.POSITIVE_INFINITY } = {}) => {
      if (clients.has(client.id)) return 'id_taken';
      if ([...clients.values()].filter(isUnusedAndOpen).length >= maxUnusedOpenClients) return 'no_room';
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
    markUsed: async (ids, now) => {
      for (const client of ids.map((id) => clients.get(id))) {
        if (client) clients.set(client.id, usedAt(client, now));
      }
    },
    findUnused: async (batch) => unusedOf(clients, batch),
    deleteUnused: async (batch) => {
      const unused = unusedOf(clients, batch);
      for (const { id } of unused) clients.delete(id);
      return unused;
    },
    list: async function* () {
      const all = [...clients.values()];
      for (let start = 0; start < all.length; start += 2) yield all.slice(start, start + 2);
    },
    earlierSecrets: async (id, now) => (earlier.get(id) ?? []).filter(({ keptUntil }) => keptUntil > now),
  };
}

function isUnusedAndOpen({ origin, lastUsedAt }: Client): boolean {
  return origin === 'open_registration' && lastUsedAt === undefined;
}

function usedAt({ expiresAt, ...client }: Client, lastUsedAt: EpochSeconds): Client {
  const isPermanent = client.origin === 'open_registration' || expiresAt === undefined;
  return { ...client, lastUsedAt, ...(!isPermanent && { expiresAt }) };
}

function unusedOf(clients: ReadonlyMap<ClientId, Client>, batch: UnusedClients): readonly Client[] {
  const { unusedSince, origins, after = '', limit } = batch;
  return [...clients.values()]
    .filter(({ lastUsedAt, issuedAt }) => (lastUsedAt ?? issuedAt) < unusedSince)
    .filter(({ id, origin }) => id > after && origins.includes(origin))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .slice(0, limit);
}
