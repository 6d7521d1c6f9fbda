import { randomBytes } from 'node:crypto';
import type { Client } from '@vestibule/clients';
import { secretAssociatedData } from '@vestibule/clients/associated-data';
import { secureRandom } from '@vestibule/crypto';
import { parseKeyEncryptionKeys, UnopenedDataKeysError } from '@vestibule/crypto/data-keys';
import { openStore, type Store } from '@vestibule/database';
import type { Logger } from '@vestibule/http/observability';
import { type ClientId, epochSeconds, type Issuer, nowSeconds } from '@vestibule/protocol';
import { type FrozenClock, frozenClock } from '@vestibule/protocol/testing';
import { OPEN_SCOPES } from '@vestibule/scopes';
import type { Environment } from '@vestibule/service/settings';
import { createTestInstallation, type InstalledKeyPairs } from '@vestibule/testkit';
import { type IdTokenGrant, issueIdToken } from '@vestibule/tokens/issuing';
import { onTestFinished } from 'vitest';
import { buildApp, composeLogout, type LogoutServiceDeps, loadLogoutConfig } from '../../src/index.js';

/** The issuer of the tests. */
export const ISSUER = 'https://as.example' as Issuer;

/** The session cookie of the authorization server. */
export const COOKIE = '__Host-vestibule_session';

/** The secret of every client of the tests that has one. */
export const SECRET = 'Zk3TqN8vXc1RbYw5LmPd7HsJf0GaUe2CiOo9tVxBnQr4Wq8Zr2Nv5Xt1Bc7Lm4Kp9Js6Hg3Fd0E';

/** The post_logout_redirect_uri of the test clients. */
export const BACK = 'https://app.example/logged-out';

/** The key pairs of the store. */
const KEY_PAIRS: InstalledKeyPairs = {
  signingAlgorithms: ['ES256'],
  encryptionAlgorithms: ['ECDH-ES', 'RSA-OAEP-256'],
};

/** A logout service over a database of its own, composed as in production, with a frozen clock. */
export type TestService = Awaited<ReturnType<typeof aTestService>>;

/** Deviations of a test service. */
export interface Deviation {
  readonly settings?: Environment;
  readonly deps?: Partial<LogoutServiceDeps>;
  readonly logger?: Logger | false;
}

/** Starts a service for one test. */
export async function aTestService({ settings = {}, deps: changed = {}, logger = false }: Deviation = {}) {
  const installation = await createTestInstallation(KEY_PAIRS);
  onTestFinished(() => installation.drop());
  const environment: Environment = {
    BASE_URL: ISSUER,
    DATABASE_URL: installation.url,
    ENCRYPTION_KEYS: installation.encryptionKeys,
    ...settings,
  };
  const config = loadLogoutConfig(environment);
  const clock = frozenClock();
  const store = await openTestStore(installation.url, installation.encryptionKeys, clock);
  const deps = { ...composeLogout(config, store, { clock }), ...changed };
  const app = buildApp(deps, { logger });
  onTestFinished(() => app.close());
  return {
    app,
    clock,
    store,
    config,
    databaseUrl: installation.url,
    encryptionKeys: installation.encryptionKeys,
    deps,
    register: registrar(store, clock),
    logIn: opener(store, clock),
    idToken: (clientId: string, grant: Partial<IdTokenGrant> = {}) =>
      issueIdToken(
        { clock, issuer: deps.issuer, keys: store.providerKeys },
        {
          clientId: clientId as ClientId,
          subject: 'alice',
          lifetimeSeconds: 600,
          algorithm: 'ES256',
          ...grant,
        },
      ),
    /** A second instance over the same store. */
    anotherInstance: () => buildApp(deps, { logger }),
    /** Runs a statement outside the service and returns its rows. */
    sql: installation.sql,
  };
}

/**
 * Opens the store of a service until the test ends. Its problems fail the test, except for keys that it cannot decrypt.
 */
export async function openTestStore(url: string, keys: string, clock: FrozenClock): Promise<Store> {
  const store = openStore({
    connection: { url, poolSize: 10 },
    keyEncryptionKeys: parseKeyEncryptionKeys(keys),
    clock,
    random: secureRandom,
    ...KEY_PAIRS,
    onProblem: (error) => {
      if (!(error instanceof UnopenedDataKeysError)) throw error;
    },
  });
  onTestFinished(() => store.close());
  await store.opened;
  return store;
}

function registrar({ database, encryptor, digester }: Store, clock: FrozenClock) {
  const issuedAt = nowSeconds(clock);
  /** Registers a client with BACK, and with the given deviations. */
  return async (
    id: string,
    metadata: Readonly<Record<string, unknown>> = {},
    deviation: Partial<Client> = {},
  ): Promise<Client> => {
    const clientId = id as ClientId;
    const client: Client = {
      id: clientId,
      metadata: {
        client_name: `Client ${id}`,
        post_logout_redirect_uris: [BACK],
        id_token_signed_response_alg: 'ES256',
        subject_type: 'public',
        ...metadata,
      } as unknown as Client['metadata'],
      grantedScopes: OPEN_SCOPES,
      origin: 'registration',
      status: 'active',
      secret: {
        digest: digester.digest('client-secret', SECRET),
        encrypted: await encryptor.encrypt(SECRET, secretAssociatedData(clientId)),
      },
      issuedAt,
      updatedAt: issuedAt,
      version: 1,
      ...deviation,
    };
    const outcome = await database.clients.create(client);
    if (outcome !== 'created') throw new TypeError(`not created: ${outcome}`);
    return client;
  };
}

/** A test session. */
export interface TestLogin {
  readonly id: string;
  readonly subject: string;
  /** The value of the `Cookie` header. */
  readonly cookie: string;
  /** The `sid` by which a client knows the session. */
  readonly sid: (clientId: string) => string;
}

function opener({ database, digester }: Store, clock: FrozenClock) {
  let count = 0;
  /** Logs an end-user in, in a browser of their own, at some clients. */
  return async (clientIds: readonly string[] = [], subject = 'alice'): Promise<TestLogin> => {
    count += 1;
    const number = count;
    const id = `session-${number}`;
    const value = randomBytes(16).toString('hex');
    const sid = (clientId: string) => `sid-${number}-${clientId}`;
    await database.providerRecords.sessions.save(
      {
        id,
        subject,
        cookieDigest: digester.digest('session-cookie', value),
        payload: {},
        expiresAt: epochSeconds(nowSeconds(clock) + 86_400),
        clients: clientIds.map((clientId) => ({ clientId, sid: sid(clientId) })),
      },
      nowSeconds(clock),
    );
    return { id, subject, cookie: `${COOKIE}=${value}`, sid };
  };
}
