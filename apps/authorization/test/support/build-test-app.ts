import type { ClientInformation } from '@vestibule/clients';
import {
  DEFAULT_REGISTRATION_SETTINGS,
  type RegistrationDeps,
  registerClient,
} from '@vestibule/clients/registration';
import { secureRandom, sha256 } from '@vestibule/crypto';
import { parseKeyEncryptionKeys, UnopenedDataKeysError } from '@vestibule/crypto/data-keys';
import { openStore, type Store } from '@vestibule/database';
import type { Logger } from '@vestibule/http/observability';
import { type ClientId, type Clock, type Issuer, systemClock, type Tracer } from '@vestibule/protocol';
import { ASYMMETRIC_ALGORITHMS } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import { frozenClock } from '@vestibule/protocol/testing';
import { ALL_SCOPES } from '@vestibule/scopes';
import type { Environment } from '@vestibule/service/settings';
import { createTestInstallation, noteResponse, noteSecret } from '@vestibule/testkit';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { RefusedRegistration } from '../../src/compose-automatic-clients.js';
import { demoInteraction } from '../../src/demo/demo-interaction.js';
import { DEFAULT_DEMO_USERS } from '../../src/demo/demo-users.js';
import {
  type AuthorizationConfig,
  type AuthorizationServiceDeps,
  buildApp,
  composeAuthorization,
  loadAuthorizationConfig,
} from '../../src/index.js';
import type { RefusedClient } from '../../src/provider/client-refusals.js';
import type { ThrottledRequest } from '../../src/provider/stored-request-limit.js';

/** The issuer of the tests. */
export const ISSUER = 'https://as.example' as Issuer;

/** The master token of the tests. */
export const MASTER = 'Wq8Zr2Nv5Xt1Bc7Lm4Kp9Js6Hg3Fd0Ea-master-token';

/** The frozen time of the tests. */
export const NOW = 1_780_315_200;

/** An authorization server over a database of its own, composed as in production, with a frozen clock. */
export type TestApp = Awaited<ReturnType<typeof buildTestApp>>;

/** Starts a server for one test. Its keys are elliptic by default, since they are generated faster. */
export async function buildTestApp(
  settings: Environment = {},
  logger: Logger | false = false,
  isLive = false,
) {
  const signingAlgorithms = settings['SIGNING_ALGORITHMS'] ?? 'ES256,EdDSA';
  const installation = await createTestInstallation({
    signingAlgorithms: ASYMMETRIC_ALGORITHMS.filter((each) => signingAlgorithms.split(',').includes(each)),
  });
  noteSecret('master token', MASTER);
  onTestFinished(() => installation.drop());
  const environment: Environment = {
    BASE_URL: ISSUER,
    DATABASE_URL: installation.url,
    ENCRYPTION_KEYS: installation.encryptionKeys,
    MASTER_TOKEN_SHA256: Buffer.from(sha256(MASTER)).toString('hex'),
    SIGNING_ALGORITHMS: signingAlgorithms,
    ACCESS_TOKEN_SIGNING_ALG: 'ES256',
    ...settings,
  };
  const config = loadAuthorizationConfig(environment);
  const clock = frozenClock();
  // node-oidc-provider uses the clock of the machine.
  const time: Clock = isLive ? systemClock : clock;
  const problems: unknown[] = [];
  const refusals: RefusedRegistration[] = [];
  const refusedClients: RefusedClient[] = [];
  const throttled: ThrottledRequest[] = [];
  const keyEncryptionKeys = parseKeyEncryptionKeys(environment['ENCRYPTION_KEYS'] ?? '');
  const store = await openTestStore(config, { clock: time, keyEncryptionKeys });
  const deps = composeAuthorization(config, store, {
    clock: time,
    interaction: demoInteraction(DEFAULT_DEMO_USERS),
    onProblem: (error) => problems.push(error),
    onRefused: (refusal) => refusals.push(refusal),
    onRefusedClient: (refused) => refusedClients.push(refused),
    onThrottled: (request) => throttled.push(request),
  });

  const app = buildApp(deps, { logger });
  onTestFinished(() => app.close());
  const registration = registrationDeps(deps, store);
  return {
    app,
    config,
    clock,
    store,
    deps,
    registration,
    /** `ENCRYPTION_KEYS` of the server. */
    encryptionKeys: installation.encryptionKeys,
    /** Internal errors of the authorization endpoints. */
    problems,
    /** The refused automatic registrations, as logged. */
    refusals,
    /** The failed client authentications, as logged. */
    refusedClients,
    /** The throttled authorization requests, as logged. */
    throttled,
    /** Registers a client with unlimited scopes, and returns its information. */
    register: (metadata: JsonObject = {}) => register(registration, metadata),
    /** Runs a statement outside the service and returns its rows. */
    sql: installation.sql,
    /** Connects to the database outside the service, until the test ends. */
    connection: () => connection(installation.url),
  };
}

/** How long a statement may take or wait for a connection: parallel requests on a busy machine wait for long. */
const PATIENT_MS = 60_000;

interface TestStoreOptions {
  readonly clock: Clock;
  readonly keyEncryptionKeys: AuthorizationConfig['ENCRYPTION_KEYS'];
  /** Traces the statements. Default: not traced. */
  readonly tracer?: Tracer | undefined;
}

/**
 * Opens the store of a server until the test ends. Its problems fail the test, except for keys that it cannot decrypt.
 */
export async function openTestStore(
  config: AuthorizationConfig,
  { tracer, ...shared }: TestStoreOptions,
): Promise<Store> {
  const store = openStore({
    ...shared,
    connection: { url: config.DATABASE_URL.reveal(), poolSize: 5, statementTimeoutMs: PATIENT_MS, tracer },
    random: secureRandom,
    signingAlgorithms: config.SIGNING_ALGORITHMS,
    onProblem: (error) => {
      if (!(error instanceof UnopenedDataKeysError)) throw error;
    },
  });
  onTestFinished(() => store.close());
  await store.opened;
  return store;
}

function registrationDeps(deps: AuthorizationServiceDeps, { database }: Store): RegistrationDeps {
  const { masterToken, digester, encryptor, clock, random, supported } = deps;
  const settings = { ...DEFAULT_REGISTRATION_SETTINGS, issuer: ISSUER, allowOpenRegistration: false };
  const { clients, idempotencyRecords } = database;
  return {
    clients,
    idempotencyRecords,
    masterToken,
    digester,
    encryptor,
    clock,
    random,
    supported,
    settings,
  };
}

async function register(deps: RegistrationDeps, metadata: JsonObject) {
  const body = { redirect_uris: ['https://app.example/cb'], ...metadata };
  const authority = { kind: 'master', grantedScopes: ALL_SCOPES } as const;
  const { information } = await registerClient(deps, { authority, body });
  noteResponse(JSON.stringify(information));
  return information as ClientInformation & { readonly client_id: ClientId; readonly client_secret?: string };
}

async function connection(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}
