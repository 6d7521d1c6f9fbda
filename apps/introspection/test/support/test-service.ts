import { endpointAudiences } from '@vestibule/client-auth/assertions';
import type { Client } from '@vestibule/clients';
import { secureRandom, sha256 } from '@vestibule/crypto';
import { openDataKeys, parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { signJwt } from '@vestibule/crypto/jwt';
import { openKeyRing } from '@vestibule/crypto/signing-keys';
import { type Database, openDatabase } from '@vestibule/database';
import type { ServerOptions } from '@vestibule/http';
import { type ClientId, type Issuer, nowSeconds } from '@vestibule/protocol';
import { ENDPOINT_PATH, introspectionEndpoint } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import { type FrozenClock, frozenClock } from '@vestibule/protocol/testing';
import { OPEN_SCOPES, parseScope, type Scope } from '@vestibule/scopes';
import { clientCertificateReader } from '@vestibule/service/tls';
import { createTestInstallation, noteSecret } from '@vestibule/testkit';
import { type AccessTokenGrant, issueIdentifierToken, issueJwtToken } from '@vestibule/tokens/issuing';
import { onTestFinished } from 'vitest';
import { buildApp, type IntrospectionServiceDeps } from '../../src/index.js';

/** The issuer of the tests. */
export const ISSUER = 'https://as.example' as Issuer;

/** The scope value for introspection. */
export const ENDPOINT = introspectionEndpoint(ISSUER);

/** The secret of all clients of the tests. */
export const SECRET = 'Zk3TqN8vXc1RbYw5LmPd7HsJf0GaUe2CiOo9tVxBnQr';

/** The client of the tokens of the tests. */
export const CLIENT = 'client' as ClientId;

/** The secret of the proxies. */
export const PROXY_SECRET = 'a-secret-that-proxies-have-and-others-do-not';

const CERTIFICATE_HEADER = {
  name: 'Client-Cert',
  format: 'rfc9440',
  isChainVerified: true,
  proof: { kind: 'secret', header: 'Client-Cert-Proof', digest: sha256(PROXY_SECRET) },
} as const;

/** An introspection service with a database of its own, real keys and a fixed clock. */
export type TestService = Awaited<ReturnType<typeof aTestService>>;

const PATIENT_MS = 60_000;

/** Options of connections whose statements do not give up on a busy machine, where they wait for connections and locks. */
export function patientConnection(databaseUrl: string): Parameters<typeof openDatabase>[0] {
  const url = new URL(databaseUrl);
  url.searchParams.set('connect_timeout', String(PATIENT_MS / 1_000));
  url.searchParams.set('lock_timeout', String(PATIENT_MS));
  return { url: url.href, statementTimeoutMs: PATIENT_MS };
}

/** Starts a service for one test: a resource server `rs1` may introspect, and `client` holds tokens. */
export async function aTestService(
  deviation: Partial<IntrospectionServiceDeps> = {},
  options: ServerOptions = { logger: false },
) {
  const clock = frozenClock();
  const keyPairs = { signingAlgorithms: ['ES256', 'EdDSA'] } as const;
  const { url, encryptionKeys, drop } = await createTestInstallation(keyPairs, clock);
  noteSecret('client_secret', SECRET);
  onTestFinished(drop);
  const database = openTestDatabase(url);
  const keys = await openTestKeys(database, clock, encryptionKeys);
  const deps: IntrospectionServiceDeps = {
    clock,
    issuer: ISSUER,
    digester: keys.digester,
    encryptor: keys.encryptor,
    algorithm: 'ES256',
    keys: keys.keyRing,
    clients: database.clients,
    accessTokens: database.accessTokens,
    revocations: database.revocations,
    assertions: {
      issuer: ISSUER,
      encryptor: keys.encryptor,
      replays: database.replays,
      endpointAudiences: endpointAudiences('issuer_or_endpoint', ISSUER, ENDPOINT_PATH.introspection),
    },
    clientCertificate: clientCertificateReader({
      header: CERTIFICATE_HEADER,
      trustedProxies: ['127.0.0.1'],
    }),
    pruneAudience: true,
    secretOverlapSeconds: 0,
    ...deviation,
  };
  const app = buildApp(deps, options);
  onTestFinished(() => app.close());
  const issuing = {
    ...deps,
    keys: keys.keyRing,
    accessTokens: database.accessTokens,
    random: secureRandom,
    tokenLength: 43,
    algorithm: 'ES256' as const,
  };
  const service = {
    app,
    database,
    databaseUrl: url,
    encryptionKeys,
    keys,
    deps,
    issuing,
    clock,
    revocationDeps: {
      ...deps,
      revocations: database.revocations,
      initialAccessTokens: database.initialAccessTokens,
    },
    ...registrar(database, deps),
    identifier: async (grant: Partial<AccessTokenGrant> = {}) =>
      noted((await issueIdentifierToken(issuing, aGrant(grant))).accessToken),
    jwt: async (grant: Partial<AccessTokenGrant> = {}) =>
      noted((await issueJwtToken(issuing, aGrant(grant))).accessToken),
    /** Signs any claims with any type with our key. */
    signed: (typ: string, claims: JsonObject) =>
      signJwt({ key: keys.keyRing.signingKey('ES256'), typ, claims }),
    /** Creates a second instance with connections of its own to the same database. */
    anotherInstance: () => {
      const { clients, accessTokens, revocations } = openTestDatabase(url);
      return buildApp({ ...deps, clients, accessTokens, revocations }, options);
    },
  };
  await service.register('rs1');
  await service.register('client', { scope: 'read' });
  return service;
}

function noted(accessToken: string): string {
  noteSecret('access_token', accessToken);
  return accessToken;
}

function openTestDatabase(url: string): Database {
  const database = openDatabase({ ...patientConnection(url), poolSize: 5 });
  onTestFinished(() => database.close());
  return database;
}

async function openTestKeys(database: Database, clock: FrozenClock, encryptionKeys: string) {
  const keyEncryptionKeys = parseKeyEncryptionKeys(encryptionKeys);
  const shared = { clock, random: secureRandom };
  const dataKeys = await openDataKeys({ ...shared, store: database.dataKeys, keyEncryptionKeys });
  const { digester, encryptor } = dataKeys;
  const ring = { ...shared, store: database.signingKeys, encryptor };
  return {
    keyEncryptionKeys,
    dataKeys,
    digester,
    encryptor,
    keyRing: await openKeyRing({ ...ring, keySet: 'provider' }),
  };
}

function registrar(database: Database, { digester, clock }: IntrospectionServiceDeps) {
  const issuedAt = nowSeconds(clock);
  /** Registers a resource server that may introspect, with deviations. */
  const register = async (
    id: string,
    metadata: Readonly<Record<string, unknown>> = {},
    deviation: Partial<Client> = {},
  ) => {
    const client: Client = {
      id: id as ClientId,
      metadata: {
        token_endpoint_auth_method: 'client_secret_basic',
        grant_types: ['client_credentials'],
        response_types: [],
        application_type: 'web',
        id_token_signed_response_alg: 'RS256',
        scope: ENDPOINT,
        ...metadata,
      } as unknown as Client['metadata'],
      grantedScopes: OPEN_SCOPES,
      origin: 'registration',
      status: 'active',
      secret: { digest: digester.digest('client-secret', SECRET), encrypted: 'sealed' },
      issuedAt,
      updatedAt: issuedAt,
      version: 1,
      ...deviation,
    };
    const outcome = await database.clients.create(client);
    if (outcome !== 'created') throw new TypeError(`not created: ${outcome}`);
  };
  return { register };
}

/** Makes a grant. */
export function aGrant(deviation: Partial<AccessTokenGrant> = {}): AccessTokenGrant {
  return {
    clientId: CLIENT,
    scope: scopeOf('read write'),
    subject: 'alice',
    lifetimeSeconds: 600,
    ...deviation,
  };
}

/** Parses a scope. */
export function scopeOf(text: string): Scope {
  const scope = parseScope(text);
  if (scope === undefined) throw new TypeError('not a scope');
  return scope;
}
