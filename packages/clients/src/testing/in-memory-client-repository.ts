import { constantTimeEquals } from '@vestibule/crypto';
import type { Digest } from '@vestibule/crypto/data-keys';
import { resourceName } from '@vestibule/metadata/uris';
import { type ClientId, type EpochSeconds, epochSeconds } from '@vestibule/protocol';
import { isSameJson } from '@vestibule/protocol/json';
import type { Client, PreviousClientSecret } from '../client.js';
import type {
  ClientRepository,
  CreationTerms,
  UnusedClientCap,
  UnusedClients,
} from '../client-repository.js';
import type { ClientPosition, ClientSelection } from '../management/client-selection.js';
import { resourceIdentifierRefusal } from '../resource-servers/resource-identifiers.js';
import type { InMemoryIdempotencyRecordStore } from './in-memory-idempotency-record-store.js';
import type { InMemoryInitialAccessTokenStore } from './in-memory-initial-access-token-store.js';

/** In-memory clients with two clients a page, for tests of the operations. */
export function inMemoryClientRepository(
  initialAccessTokens: InMemoryInitialAccessTokenStore,
  idempotencyRecords: InMemoryIdempotencyRecordStore,
): ClientRepository {
  const clients = new Map<ClientId, Client>();
  const previousSecrets = new Map<ClientId, readonly PreviousClientSecret[]>();
  const networks = new Map<ClientId, Digest>();
  const shared = new Map<string, ClientId>();
  const sharedBy = (digest: Uint8Array) => clients.get(shared.get(keyOf(digest)) ?? ('' as ClientId));
  const add = (client: Client, { unusedClientCap, sharedDigest }: CreationTerms) => {
    clients.set(client.id, client);
    if (unusedClientCap) networks.set(client.id, unusedClientCap.network[0]);
    if (sharedDigest) shared.set(keyOf(sharedDigest), client.id);
  };
  return {
    find: async (id) => clients.get(id),
    findByRegistrationToken: async (id, digests) => {
      const { digest, previous } = clients.get(id)?.registrationToken ?? {};
      const isOurs = [digest, previous?.digest].some(
        (stored) => stored && digests.some((given) => constantTimeEquals(given, stored)),
      );
      return isOurs ? clients.get(id) : undefined;
    },
    findByEntity: async (entityId) => ofEntity(clients, entityId),
    findByResourceIdentifier: async (identifier) => namedBy(clients, resourceName(identifier)),
    findShared: async (digest) => sharedBy(digest),
    extendUnused: async (id, { now, expiresAt }) => {
      const client = clients.get(id);
      if (client?.expiresAt === undefined || client.expiresAt <= now || client.lastUsedAt) return false;
      clients.set(id, { ...client, expiresAt: epochSeconds(Math.max(client.expiresAt, expiresAt)) });
      return true;
    },
    create: async (client, terms = {}) => {
      const { consuming, unusedClientCap, sharedDigest, idempotencyRecords: added } = terms;
      const isShared = sharedDigest !== undefined && sharedBy(sharedDigest) !== undefined;
      if (isShared || isIdTaken(clients, client)) return 'id_taken';
      refuseTakenNames(clients, client);
      if (unusedClientCap && !hasRoom(clients, networks, unusedClientCap)) return 'no_room';
      if (added?.some(({ digest }) => idempotencyRecords.has(digest))) return 'id_taken';
      if (consuming && !initialAccessTokens.consume(consuming.digests, consuming.now))
        return 'token_not_usable';
      for (const record of added ?? []) idempotencyRecords.add(record);
      add(client, terms);
      return 'created';
    },
    hasRoom: async (cap) => hasRoom(clients, networks, cap),
    isBlocked: async () => false,
    replace: async ({ client, previousSecret }) => {
      const present = clients.get(client.id);
      if (present?.version !== client.version - 1 || !isPreviousTokenPresent(present, client)) return false;
      refuseTakenNames(clients, client);
      clients.set(client.id, client);
      if (!staysShared(present, client)) removeValue(shared, client.id);
      if (previousSecret)
        previousSecrets.set(client.id, [previousSecret, ...(previousSecrets.get(client.id) ?? [])]);
      return true;
    },
    forgetPreviousRegistrationToken: async (id, current) => {
      const client = clients.get(id);
      if (!client?.registrationToken || !constantTimeEquals(client.registrationToken.digest, current))
        return false;
      const { previous, ...registrationToken } = client.registrationToken;
      clients.set(id, { ...client, registrationToken });
      return previous !== undefined;
    },
    delete: async (id, _now, { ifVersion } = {}) =>
      (ifVersion === undefined || clients.get(id)?.version === ifVersion) && clients.delete(id),
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
    list: async function* (selection) {
      const all = selected(clients, selection);
      for (let start = 0; start < all.length; start += 2) yield all.slice(start, start + 2);
    },
    page: async (selection, limit) => {
      const all = selected(clients, selection);
      const page = all.slice(0, limit);
      const last = page.at(-1);
      return { clients: page, ...(last && all.length > limit && { next: positionOf(last) }) };
    },
    previousSecrets: async (id, now) =>
      (previousSecrets.get(id) ?? []).filter(({ keptUntil }) => keptUntil > now),
  };
}

function keyOf(digest: Uint8Array): string {
  return Buffer.from(digest).toString('base64url');
}

function staysShared(before: Client, { status, metadata, data }: Client): boolean {
  return status !== 'suspended' && isSameJson(metadata, before.metadata) && isSameJson(data, before.data);
}

function removeValue(map: Map<string, ClientId>, value: ClientId): void {
  for (const [key, each] of map) if (each === value) map.delete(key);
}

function isIdTaken(clients: ReadonlyMap<ClientId, Client>, { id, federation }: Client): boolean {
  if (clients.has(id) || namedBy(clients, resourceName(id)) !== undefined) return true;
  return federation !== undefined && ofEntity(clients, federation.entityId) !== undefined;
}

/** Finds the client with a resource identifier in its normalized spelling. */
function namedBy(clients: ReadonlyMap<ClientId, Client>, name: string): Client | undefined {
  return [...clients.values()].find(({ metadata }) =>
    metadata.resource_identifiers?.some((identifier) => resourceName(identifier) === name),
  );
}

function refuseTakenNames(clients: ReadonlyMap<ClientId, Client>, client: Client): void {
  for (const name of (client.metadata.resource_identifiers ?? []).map(resourceName)) {
    const owner =
      namedBy(clients, name) ?? clients.get(name as ClientId) ?? clients.get(`${name}/` as ClientId);
    if (owner !== undefined && owner.id !== client.id) throw resourceIdentifierRefusal(client, name);
  }
}

function ofEntity(clients: ReadonlyMap<ClientId, Client>, entityId: string): Client | undefined {
  return [...clients.values()].find(({ federation }) => federation?.entityId === entityId);
}

/** Whether the previous registration token in a new state is one of the client's tokens. */
function isPreviousTokenPresent({ registrationToken: present }: Client, next: Client): boolean {
  const kept = next.registrationToken?.previous?.digest;
  const digests = [present?.digest, present?.previous?.digest];
  return kept === undefined || digests.some((digest) => digest && constantTimeEquals(digest, kept));
}

function hasRoom(
  clients: ReadonlyMap<ClientId, Client>,
  networks: ReadonlyMap<ClientId, Digest>,
  { most, network }: UnusedClientCap,
): boolean {
  const unused = [...clients.values()].filter(isUnusedAndOpen);
  const own = unused.filter(({ id }) => {
    const stored = networks.get(id);
    return stored && network.some((digest) => constantTimeEquals(digest, stored));
  });
  return own.length < most - unused.length;
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

/** The test clock is frozen, so the identifiers alone determine the order. */
function positionOf({ issuedAt, id }: Client): ClientPosition {
  return { issuedAtMs: issuedAt * 1000, id };
}

/** In the order of issue. Of the filters, only the status is implemented. */
function selected(
  clients: ReadonlyMap<ClientId, Client>,
  { filter = {}, isNewestFirst = false, after, now = epochSeconds(0) }: ClientSelection = {},
): readonly Client[] {
  const all = [...clients.values()].filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now);
  if (isNewestFirst) all.reverse();
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after.id) + 1;
  return all.slice(start).filter(({ status }) => status === (filter.status ?? status));
}
