import type { Client, ClientRepository } from '@vestibule/clients';
import { secureRandom, sha256 } from '@vestibule/crypto';
import { parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { openStore } from '@vestibule/database';
import type { Egress } from '@vestibule/egress';
import type { Server } from '@vestibule/http';
import type { Logger } from '@vestibule/http/observability';
import { committedDocument, documentedResponse, type Seen } from '@vestibule/http/testing';
import type { Issuer } from '@vestibule/protocol';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import { frozenClock } from '@vestibule/protocol/testing';
import type { Environment } from '@vestibule/service/settings';
import { createTestInstallation, type InstalledKeyPairs } from '@vestibule/testkit';
import {
  type FederationEntity,
  openSmallFederation,
  type SmallFederation,
  type StatementChanges,
} from '@vestibule/testkit/federation';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { onTestFinished } from 'vitest';
import { buildApp, composeFederation, federationAlgorithms, loadFederationConfig } from '../../src/index.js';

/** The issuer of the tests, which is also our entity identifier. */
export const ISSUER = 'https://op.example' as Issuer;

/** The master token of the tests. */
export const MASTER = 'Wq8Zr2Nv5Xt1Bc7Lm4Kp9Js6Hg3Fd0Ea-master-token';

const KEY_PAIRS: InstalledKeyPairs = {
  signingAlgorithms: ['ES256'],
  federationAlgorithms: federationAlgorithms({ FEDERATION_ENABLED: true }) ?? [],
};

/** A federation service and a small federation whose anchor it trusts. */
export type TestFederation = Awaited<ReturnType<typeof startFederation>>;

/** Deviations of a test. */
export interface TestOptions {
  readonly settings?: (federation: SmallFederation) => Environment;
  readonly logger?: Logger | false;
  /** Members of the provider metadata. */
  readonly offered?: JsonObject;
  /** Outgoing requests. Default: with ordinary limits. */
  readonly egress?: Egress;
  /** Default: a store of its own. */
  readonly testStore?: TestStore;
}

/** A store over a database of its own, with a frozen clock. */
export type TestStore = Awaited<ReturnType<typeof openTestStore>>;

/** Opens a store for a test. */
export async function openTestStore() {
  const clock = frozenClock();
  const { url, encryptionKeys: keys, drop } = await createTestInstallation(KEY_PAIRS);
  onTestFinished(drop);
  const store = openStore({
    connection: { url, poolSize: 10 },
    keyEncryptionKeys: parseKeyEncryptionKeys(keys),
    clock,
    random: secureRandom,
    ...KEY_PAIRS,
    onProblem: (error) => {
      throw error;
    },
  });
  onTestFinished(() => store.close());
  await store.opened;
  return { clock, store, keys, url };
}

/** Starts both for one test; fetches are not cached unless the settings say otherwise. */
export async function startFederation({
  settings = () => ({}),
  logger = false,
  testStore,
  offered = {},
  egress,
}: TestOptions = {}) {
  const { clock, store, keys, url } = testStore ?? (await openTestStore());
  const federation = await openSmallFederation(clock);
  onTestFinished(() => federation.close());
  const config = loadFederationConfig({
    BASE_URL: ISSUER,
    DATABASE_URL: url,
    ENCRYPTION_KEYS: keys,
    MASTER_TOKEN_SHA256: Buffer.from(sha256(MASTER)).toString('hex'),
    FEDERATION_ENABLED: 'true',
    FEDERATION_TRUST_ANCHORS: JSON.stringify(federation.trustAnchors),
    FEDERATION_AUTHORITY_HINTS: federation.intermediates[1].id,
    FEDERATION_CACHE_SECONDS: '0',
    FEDERATION_NEGATIVE_CACHE_SECONDS: '0',
    RATE_LIMITS_ENABLED: 'false',
    EGRESS_ALLOW_HOSTS: '127.0.0.1',
    ALLOW_LOOPBACK_REDIRECT_URIS: 'true',
    ...settings(federation),
  });
  const providerMetadata = async () => ({ issuer: ISSUER, jwks_uri: `${ISSUER}/jwks.json`, ...offered });
  const parts = { clock, providerMetadata, ...(egress && { egress }) };
  const app = buildApp(composeFederation(config, store, parts), { logger });
  onTestFinished(() => app.close());
  const register = (statement: string, contentType: string = MEDIA_TYPE.entityStatementJwt) =>
    post(app, statement, contentType);
  const fixture = {
    ...federation,
    app,
    store,
    clock,
    register,
    clients: () => allClients(store.database.clients),
    /** Changes the statements of an entity about a subordinate. */
    behaves: ({ behaviour }: FederationEntity, subject: string, changes: StatementChanges) => {
      behaviour.subordinates.set(subject, changes);
    },
  };
  return {
    ...fixture,
    /**
     * Registers a new relying party after `spoil` has changed it or its superiors; the result may change its request.
     */
    attempt: async (spoil: (spoilt: typeof fixture, member: FederationEntity) => unknown) => {
      const member = await federation.relyingParty();
      const changes = ((await spoil(fixture, member)) ?? {}) as StatementChanges;
      return register(await federation.registrationRequest(member, ISSUER, changes));
    },
  };
}

async function allClients(clients: Pick<ClientRepository, 'list'>): Promise<readonly Client[]> {
  const all: Client[] = [];
  for await (const page of clients.list()) all.push(...page);
  return all;
}

/** Sends a registration. */
async function post(app: Server, payload: string, contentType: string): Promise<Seen> {
  const headers = { 'content-type': contentType };
  return send(app, { method: 'POST', url: '/federation/clients', headers, payload });
}

/** The committed API document. */
export const API_DOCUMENT = committedDocument(new URL('../../openapi.json', import.meta.url));

/** Sends a request, and checks the response against the API document. */
export function send(app: Server, request: Parameters<typeof documentedResponse>[1]): Promise<Seen> {
  return documentedResponse(app, request, API_DOCUMENT);
}

/** Header and claims of a response that is a signed JWT. */
export function signedResponse({ body }: Seen) {
  return { header: decodeProtectedHeader(body), claims: decodeJwt<Record<string, never>>(body) };
}
