import { createMasterToken, sha256 } from '@vestibule/crypto';
import {
  type DataKeyStore,
  openDataKeys,
  parseKeyEncryptionKeys,
  type WrappedDataKey,
} from '@vestibule/crypto/data-keys';
import { defaultSupportedMetadata } from '@vestibule/metadata';
import { epochSeconds, type Issuer, nowSeconds, parseClientId } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { type FrozenClock, frozenClock, seededRandom } from '@vestibule/protocol/testing';
import { EMPTY_SCOPE, parseScope } from '@vestibule/scopes';
import type { Client } from '../client.js';
import type { ClientResponse } from '../client-response.js';
import { authorizeRegistration } from '../registration/authorize-registration.js';
import type { InitialAccessToken } from '../registration/initial-access-token.js';
import { registerClient } from '../registration/register-client.js';
import type { RegistrationAuthorityDeps, RegistrationDeps } from '../registration/registration-deps.js';
import {
  DEFAULT_REGISTRATION_SETTINGS,
  type RegistrationSettings,
} from '../registration/registration-settings.js';
import { inMemoryClientRepository } from './in-memory-client-repository.js';
import { inMemoryIdempotencyRecordStore } from './in-memory-idempotency-record-store.js';
import { inMemoryInitialAccessTokenStore } from './in-memory-initial-access-token-store.js';

/** Dependencies of the operations over memory, with real cryptography, a frozen clock and seeded randomness. */
export interface RegistrationFixture {
  readonly deps: RegistrationDeps & RegistrationAuthorityDeps;
  readonly clock: FrozenClock;
  /** Issues an initial access token and returns it in plain text. */
  issue(scope: string, changes?: Partial<InitialAccessToken>): Promise<string>;
  /** Authorizes and registers like the endpoint. */
  register(body: JsonObject, token?: string, idempotencyKey?: string): Promise<ClientResponse>;
  /** Returns the stored client. */
  find(id: string): Promise<Client | undefined>;
  /** Changes a stored client without the operations. */
  change(id: string, alter: (client: Client) => Client): Promise<void>;
  /** Returns every stored client. */
  all(): Promise<readonly Client[]>;
}

/** The master token of every fixture, in plain text. */
export const MASTER = 'master-token-of-the-tests-0123456789abcdef';

/** A live access token of every fixture. */
export const ACCESS_TOKEN = 'access-token-of-the-tests';

/** The issuer of every fixture. */
export const ISSUER = 'https://as.example.org' as Issuer;

/** Creates a fixture, in managed mode unless the settings say otherwise. */
export async function registrationFixture(
  settings: Partial<RegistrationSettings> = {},
): Promise<RegistrationFixture> {
  const clock = frozenClock();
  const random = seededRandom();
  const { encryptor, digester } = await openDataKeys({
    store: inMemoryDataKeyStore(),
    keyEncryptionKeys: parseKeyEncryptionKeys(Buffer.from(random.bytes(32)).toString('base64url')),
    clock,
    random,
  });
  const initialAccessTokens = inMemoryInitialAccessTokenStore();
  const idempotencyRecords = inMemoryIdempotencyRecordStore();
  const deps: RegistrationFixture['deps'] = {
    clients: inMemoryClientRepository(initialAccessTokens, idempotencyRecords),
    idempotencyRecords,
    initialAccessTokens,
    masterToken: createMasterToken([Buffer.from(sha256(MASTER)).toString('hex')]),
    accessTokens: { isAccessToken: async (token) => token === ACCESS_TOKEN },
    digester,
    encryptor,
    clock,
    random,
    supported: defaultSupportedMetadata(),
    settings: { ...DEFAULT_REGISTRATION_SETTINGS, issuer: ISSUER, allowOpenRegistration: false, ...settings },
  };
  const find = async (id: string) => {
    const clientId = parseClientId(id);
    return clientId && deps.clients.find(clientId);
  };
  let issued = 0;
  return {
    deps,
    clock,
    issue: async (scope, changes = {}) => {
      issued += 1;
      const token = `initial-access-token-${issued}`;
      await initialAccessTokens.insert({
        digest: digester.digest('initial-access-token', token),
        scope: parseScope(scope) ?? EMPTY_SCOPE,
        audience: [ISSUER],
        issuedAt: nowSeconds(clock),
        expiresAt: epochSeconds(nowSeconds(clock) + 600),
        usesLeft: 1,
        ...changes,
      });
      return token;
    },
    register: async (body, token, idempotencyKey) =>
      registerClient(deps, {
        authority: await authorizeRegistration(deps, { token, idempotencyKey }),
        body,
      }),
    find,
    change: async (id, alter) => {
      const client = await find(id);
      if (client === undefined) throw new Error('no such client');
      await deps.clients.replace({ client: { ...alter(client), version: client.version + 1 } });
    },
    all: async () => {
      const clients: Client[] = [];
      for await (const page of deps.clients.list()) clients.push(...page);
      return clients;
    },
  };
}

function inMemoryDataKeyStore(): DataKeyStore {
  const keys = new Map<string, WrappedDataKey>();
  return {
    list: async () => [...keys.values()],
    insertFirst: async (key) => {
      if ([...keys.values()].some(({ purpose }) => purpose === key.purpose)) return false;
      keys.set(key.id, key);
      return true;
    },
    insert: async (key) => {
      keys.set(key.id, key);
    },
    update: async (key) => {
      keys.set(key.id, key);
    },
  };
}
