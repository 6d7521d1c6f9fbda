import { randomBytes } from 'node:crypto';
import type { Client, ClientRepository, PreviousClientSecret } from '@vestibule/clients';
import { openDataKeys, parseKeyEncryptionKeys, type WrappedDataKey } from '@vestibule/crypto/data-keys';
import { type ClientId, type Issuer, nowSeconds } from '@vestibule/protocol';
import { introspectionEndpoint } from '@vestibule/protocol/constants';
import { frozenClock } from '@vestibule/protocol/testing';
import { OPEN_SCOPES } from '@vestibule/scopes';

/** The issuer of the tests. */
export const ISSUER = 'https://as.example' as Issuer;

/** The secret of every client of the tests. */
export const SECRET = 'correct-horse-battery-staple';

/** Creates clients in memory with real digests and a frozen clock. */
export async function clientFixture() {
  const clock = frozenClock();
  const digester = await aDigester(clock);
  const now = nowSeconds(clock);
  const clients = new Map<string, Client>();
  const previous: PreviousClientSecret[] = [];
  const repository: Pick<ClientRepository, 'find' | 'previousSecrets'> = {
    find: async (id) => clients.get(id),
    previousSecrets: async () => previous,
  };
  /** Registers a resource server with the right to introspect, with deviations. */
  const register = (deviation: Partial<Client> = {}, metadata: Readonly<Record<string, unknown>> = {}) => {
    const client = {
      id: 'rs1' as ClientId,
      metadata: {
        token_endpoint_auth_method: 'client_secret_basic',
        grant_types: ['client_credentials'],
        scope: `read ${introspectionEndpoint(ISSUER)}`,
        ...metadata,
      } as unknown as Client['metadata'],
      grantedScopes: OPEN_SCOPES,
      origin: 'registration',
      status: 'active',
      secret: { digest: digester.digest('client-secret', SECRET), encrypted: '' },
      issuedAt: now,
      updatedAt: now,
      version: 1,
      ...deviation,
    } satisfies Client;
    clients.set(client.id, client);
    return client;
  };
  return { clock, now, digester, clients: repository, register, previous, secretOverlapSeconds: 0 };
}

async function aDigester(clock: ReturnType<typeof frozenClock>) {
  const keys: WrappedDataKey[] = [];
  const add = async (key: WrappedDataKey) => keys.push(key) > 0;
  const { digester } = await openDataKeys({
    store: { list: async () => keys, insertFirst: add, insert: async () => {}, update: async () => {} },
    keyEncryptionKeys: parseKeyEncryptionKeys(randomBytes(32).toString('base64url')),
    clock,
    random: { bytes: randomBytes },
  });
  return digester;
}
