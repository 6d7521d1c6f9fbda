import { secureRandom } from '@vestibule/crypto';
import { parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { openStore, type Store } from '@vestibule/database';
import { createLogger } from '@vestibule/http/observability';
import type { DeliverySelection } from '@vestibule/logout/delivery';
import { epochSeconds, type Issuer, nowSeconds, systemClock } from '@vestibule/protocol';
import { aClient, aClientId, type ClientDeviations, createTestInstallation } from '@vestibule/testkit';
import { Registry } from 'prom-client';
import { expect, onTestFinished, vi } from 'vitest';
import { openDeliveries } from '../../src/delivery/open-deliveries.js';
import type { Receiver } from './receiver.js';

/** The issuer of the tests. */
export const ISSUER = 'https://as.example' as Issuer;

type Config = Parameters<typeof openDeliveries>[0]['config'];

/** Timeout and lease are longer than a busy machine stalls: otherwise a delivery to a prompt receiver could be repeated. */
const CONFIG: Config = {
  BASE_URL: ISSUER,
  EGRESS_ALLOW_HOSTS: [],
  LOGOUT_DELIVERY_CONCURRENCY: 64,
  LOGOUT_DELIVERY_TIMEOUT_MS: 60_000,
  LOGOUT_DELIVERY_MAX_AGE_SECONDS: 86_400,
  LOGOUT_DELIVERY_LEASE_SECONDS: 600,
  LOGOUT_DELIVERY_POLL_MS: 100,
  LOGOUT_DELIVERY_RETENTION_SECONDS: 604_800,
  LOGOUT_EXPIRED_SESSIONS_INTERVAL_SECONDS: 3_600,
};

/** A store with clients and sessions, and processes that deliver notifications. */
export type DeliveryFixture = Awaited<ReturnType<typeof createDeliveryFixture>>;

/** Creates an empty store for one test. */
export async function createDeliveryFixture() {
  const { url, sql, encryptionKeys, drop } = await createTestInstallation({ signingAlgorithms: ['ES256'] });
  onTestFinished(drop);
  const open = () => openTestStore(url, encryptionKeys);
  const store = await open();
  const { clients, providerRecords, logoutDeliveries } = store.database;
  let sessions = 0;

  /** Registers a client with a back channel at an address. */
  const register = async (id: string, uri: string, { metadata, ...deviations }: ClientDeviations = {}) => {
    const members = { backchannel_logout_uri: uri, id_token_signed_response_alg: 'ES256', ...metadata };
    const outcome = await clients.create(aClient({ id: aClientId(id), metadata: members, ...deviations }));
    expect(outcome).toBe('created');
  };
  /** Logs an end-user in to clients. @returns the session */
  const login = async (ids: readonly string[], lifetimeSeconds = 600, subject = 'alice') => {
    sessions += 1;
    const now = nowSeconds(systemClock);
    const id = `session-${sessions}`;
    await providerRecords.sessions.save(
      {
        id,
        cookieDigest: store.digester.digest('session-cookie', id),
        subject,
        payload: {},
        expiresAt: epochSeconds(now + lifetimeSeconds),
        clients: ids.map((clientId) => ({ clientId, sid: `${id} at ${clientId}` })),
      },
      now,
    );
    return id;
  };
  const logout = async (id: string) => {
    expect(await providerRecords.sessions.end(id, nowSeconds(systemClock))).toBe(true);
  };
  /** Starts a process that delivers; it ends with the test, or before. */
  const deliver = (
    receivers: readonly Pick<Receiver, 'place'>[],
    config: Partial<Config> = {},
    on = store,
  ) => {
    const metrics = { registry: new Registry() };
    const EGRESS_ALLOW_HOSTS = receivers.map(({ place }) => place);
    const logger = createLogger({ level: 'silent', service: 'test' });
    const dependency = openDeliveries({
      config: { ...CONFIG, EGRESS_ALLOW_HOSTS, ...config },
      store: on,
      logger,
      metrics,
    });
    let closing: Promise<void> | undefined;
    const close = () => {
      closing ??= dependency.close();
      return closing;
    };
    onTestFinished(close);
    return { registry: metrics.registry, close };
  };
  const list = (selection: Partial<DeliverySelection> = {}) =>
    logoutDeliveries.list({ limit: 1_000, ...selection });
  return {
    url,
    store,
    another: open,
    register,
    login,
    logout,
    deliver,
    list,
    sql,
    /** Resolves when `count` deliveries are in a state. */
    until: (state: 'pending' | 'delivered' | 'dead', count: number) =>
      vi.waitFor(async () => expect(await list({ state })).toHaveLength(count), {
        timeout: 60_000,
        interval: 20,
      }),
  };
}

async function openTestStore(url: string, keys: string): Promise<Store> {
  const store = openStore({
    connection: { url },
    keyEncryptionKeys: parseKeyEncryptionKeys(keys),
    clock: systemClock,
    random: secureRandom,
    signingAlgorithms: ['ES256'],
    onProblem: (error) => {
      throw error;
    },
  });
  onTestFinished(() => store.close());
  await store.opened;
  return store;
}
