import type { Client } from '@vestibule/clients';
import type { InitialAccessToken } from '@vestibule/clients/registration';
import { randomAlphanumeric, secureRandom, sha256 } from '@vestibule/crypto';
import { parseKeyEncryptionKeys, UnopenedDataKeysError } from '@vestibule/crypto/data-keys';
import { openStore, type Store } from '@vestibule/database';
import type { Server, ServerOptions } from '@vestibule/http';
import { createMetrics, type Logger } from '@vestibule/http/observability';
import { type ClientId, type Issuer, nowSeconds } from '@vestibule/protocol';
import { type FrozenClock, frozenClock } from '@vestibule/protocol/testing';
import { NO_SCOPES, parseScope, type Scope } from '@vestibule/scopes';
import type { Environment } from '@vestibule/service/settings';
import { createTestInstallation, noteSecret } from '@vestibule/testkit';
import { type AccessTokenGrant, issueIdentifierToken, issueJwtToken } from '@vestibule/tokens/issuing';
import { onTestFinished } from 'vitest';
import {
  buildApp,
  composeRegistration,
  loadRegistrationConfig,
  openRateLimits,
  type RegistrationParts,
  type RegistrationServiceDeps,
} from '../../src/index.js';

/** The issuer of the tests. */
export const ISSUER = 'https://as.example' as Issuer;

/** The master token of the tests. */
export const MASTER = 'Wq8Zr2Nv5Xt1Bc7Lm4Kp9Js6Hg3Fd0Ea-master-token';

/** A registration service over a database of its own, composed as in production, with a frozen clock. */
export type TestApp = Awaited<ReturnType<typeof buildTestApp>>;

/** Starts a service for one test, in managed mode unless the settings say otherwise. */
export async function buildTestApp(
  settings: Environment = {},
  logger: Logger | false = false,
  parts: Pick<RegistrationParts, 'egress' | 'onRefusedRegistration'> = {},
) {
  const installation = await createTestInstallation({ signingAlgorithms: ['ES256'] });
  noteSecret('master token', MASTER);
  onTestFinished(() => installation.drop());
  const environment: Environment = {
    BASE_URL: ISSUER,
    DATABASE_URL: installation.url,
    ENCRYPTION_KEYS: installation.encryptionKeys,
    MASTER_TOKEN_SHA256: Buffer.from(sha256(MASTER)).toString('hex'),
    ...settings,
  };
  const clock = frozenClock();
  const start = (settingsOfInstance: Environment) =>
    startInstance({ environment: settingsOfInstance, clock, logger, parts });
  const instance = await start(environment);
  return {
    ...instance,
    clock,
    databaseUrl: installation.url,
    keys: installation.encryptionKeys,
    anotherInstance: (changes: Environment = {}) => start({ ...environment, ...changes }),
    ...issuing(instance.deps, instance.store),
  };
}

interface InstanceOptions {
  readonly environment: Environment;
  readonly clock: FrozenClock;
  readonly logger: Logger | false;
  readonly parts: Pick<RegistrationParts, 'egress' | 'onRefusedRegistration'>;
}

/** One instance of the service, with connections of its own. */
async function startInstance({ environment, clock, logger, parts }: InstanceOptions) {
  const config = loadRegistrationConfig(environment);
  const store = openStore({
    connection: { url: config.DATABASE_URL.reveal(), poolSize: 10 },
    keyEncryptionKeys: parseKeyEncryptionKeys(environment['ENCRYPTION_KEYS'] ?? ''),
    clock,
    random: secureRandom,
    signingAlgorithms: ['ES256'],
    onProblem: (error) => {
      if (!(error instanceof UnopenedDataKeysError)) throw error;
    },
  });
  onTestFinished(() => store.close());
  await store.opened;
  const rateLimits = openRateLimits({
    config,
    clock,
    metrics: createMetrics('registration'),
    logger: { debug: () => {}, info: () => {}, warn: () => {} },
  });
  onTestFinished(async () => {
    for (const { close } of rateLimits.dependencies) await close?.();
  });
  const deps = composeRegistration(config, store, { clock, rateLimits: rateLimits.store, ...parts });
  return {
    store,
    deps,
    rateLimits: rateLimits.store,
    app: testServer(deps, { logger, trustedProxies: config.TRUSTED_PROXIES }),
  };
}

function testServer(deps: RegistrationServiceDeps, options: ServerOptions): Server {
  const app = buildApp(deps, options);
  onTestFinished(() => app.close());
  return app;
}

function issuing(deps: RegistrationServiceDeps, { database, digester, providerKeys }: Store) {
  const now = () => nowSeconds(deps.clock);
  const tokens = {
    clock: deps.clock,
    issuer: ISSUER,
    random: secureRandom,
    digester,
    accessTokens: database.accessTokens,
    keys: providerKeys,
    tokenLength: 43,
    algorithm: 'ES256' as const,
  };
  return {
    /** Issues an initial access token of any scope and returns it in plain text. */
    initialToken: async (scope: string, deviation: Partial<InitialAccessToken> = {}) => {
      const token = randomAlphanumeric(43, secureRandom);
      noteSecret('initial access token', token);
      await database.initialAccessTokens.insert({
        digest: digester.digest('initial-access-token', token),
        scope: scopeOf(scope),
        audience: [ISSUER],
        issuedAt: now(),
        expiresAt: (now() + 600) as Client['issuedAt'],
        usesLeft: 1,
        ...deviation,
      });
      return token;
    },
    /** The remaining uses of an initial access token. */
    usesLeft: async (token: string) => {
      const found = await database.initialAccessTokens.find(
        digester.availableDigests('initial-access-token', token),
      );
      return found?.usesLeft;
    },
    /** Issues an ordinary access token to a registered client and returns it in plain text. */
    accessToken: async (
      format: 'identifier' | 'jwt',
      clientId: string,
      deviation: Partial<AccessTokenGrant> = {},
    ) => {
      const issue = format === 'jwt' ? issueJwtToken : issueIdentifierToken;
      const grant = { scope: scopeOf('read'), lifetimeSeconds: 600, ...deviation };
      const { accessToken } = await issue(tokens, { clientId: clientId as ClientId, ...grant });
      noteSecret('access_token', accessToken);
      return accessToken;
    },
    /** The stored client. */
    stored: (id: string) => database.clients.find(id as ClientId),
    /** Every stored client. */
    all: async () => {
      const clients: Client[] = [];
      for await (const page of database.clients.list()) clients.push(...page);
      return clients;
    },
    /** Stores a client that no registration could create. */
    storeClient: async (id: string, deviation: Partial<Client> = {}) => {
      const outcome = await database.clients.create({
        id: id as ClientId,
        metadata: { grant_types: [], response_types: [] } as unknown as Client['metadata'],
        grantedScopes: NO_SCOPES,
        origin: 'registration',
        status: 'active',
        issuedAt: now(),
        updatedAt: now(),
        version: 1,
        ...deviation,
      });
      if (outcome !== 'created') throw new TypeError(`not created: ${outcome}`);
    },
  };
}

function scopeOf(text: string): Scope {
  const scope = parseScope(text);
  if (scope === undefined) throw new TypeError('not a scope');
  return scope;
}
