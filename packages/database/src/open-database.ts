import type { ReplayStore } from '@vestibule/client-auth';
import type { ClientRepository, IdempotencyRecordStore, InitialAccessTokenStore } from '@vestibule/clients';
import type { DataKeyStore, SigningKeyStore } from '@vestibule/crypto';
import type { DeliveryOutbox, DeliveryStates, ExpiredSessions, LogoutSessions } from '@vestibule/logout';
import type { AccessTokenStore, ProviderRecords, RevocationStore } from '@vestibule/tokens';
import { accessTokenStore } from './access-token-store.js';
import type { Author } from './audit/author.js';
import { type ChainedEvents, type Chaining, chainEvents } from './audit/chain-events.js';
import { type AuditRecord, type AuditSelection, readEvents } from './audit/read-events.js';
import { recordedRedeliveries } from './audit/recorded-redeliveries.js';
import { recordedRevocations } from './audit/recorded-revocations.js';
import { recordedSessions } from './audit/recorded-sessions.js';
import { type ChainRange, type ChainVerdict, verifyChain } from './audit/verify-chain.js';
import { type CleanUp, type CleanUpCounts, cleanUp } from './clean-up.js';
import { clientRepository } from './client-repository.js';
import { type ConnectionOptions, connectionBounds, connectionPool } from './connection-pool.js';
import { connectionSemaphore } from './connection-semaphore.js';
import { dataKeyStore } from './data-key-store.js';
import { type DatabaseConnections, type DatabaseCounters, databaseCounters } from './database-counters.js';
import { type FederationRecords, federationRecords } from './federation-records.js';
import { idempotencyRecordStore } from './idempotency-record-store.js';
import { initialAccessTokenStore } from './initial-access-token-store.js';
import { lazyPrisma } from './lazy-prisma.js';
import { type ListedInitialTokens, listedInitialTokens } from './listed-initial-tokens.js';
import { deliveryOutbox } from './logout/delivery-outbox.js';
import { deliveryStates } from './logout/delivery-states.js';
import { expiredSessions } from './logout/expired-sessions.js';
import {
  type LogoutNoticesOptions,
  type OpenLogoutNotices,
  openLogoutNotices,
} from './logout/logout-notices.js';
import { logoutSessions } from './logout/logout-sessions.js';
import { requireSchema } from './migrations/required-schema.js';
import { providerRecords } from './provider/provider-records.js';
import {
  type ReencryptKeys,
  type ReencryptReport,
  type ReencryptRound,
  reencrypt,
} from './reencrypt/reencrypt.js';
import { replayStore } from './replay-store.js';
import { readServerState, type ServerState } from './replication/server-state.js';
import { revocationStore } from './revocation-store.js';
import { signingKeyStore } from './signing-key-store.js';
import { type Statement, statementRunner } from './statement.js';
import {
  type InvalidationStreamOptions,
  type OpenInvalidationStream,
  openInvalidationStream,
} from './stream/invalidation-stream.js';
import { tracedStatements } from './traced-statements.js';

/** The shared state of all services, in Postgres. */
export interface Database {
  readonly clients: ClientRepository;
  readonly initialAccessTokens: InitialAccessTokenStore;
  /** The same tokens for operators, who do not know them. */
  readonly listedInitialTokens: ListedInitialTokens;
  readonly idempotencyRecords: IdempotencyRecordStore;
  readonly accessTokens: AccessTokenStore;
  readonly revocations: RevocationStore;
  /** Remembers which client assertions were used. */
  readonly replays: ReplayStore;
  /** What an authorisation server keeps. */
  readonly providerRecords: ProviderRecords;
  /** The same sessions, as a logout sees them. */
  readonly logoutSessions: LogoutSessions;
  /** The notifications that clients are to get of sessions that have ended. */
  readonly logoutDeliveries: DeliveryOutbox;
  readonly deliveryStates: DeliveryStates;
  readonly expiredSessions: ExpiredSessions;
  /** The deny list, purges of cached statements and earlier federation keys. */
  readonly federation: FederationRecords;
  readonly dataKeys: DataKeyStore;
  readonly signingKeys: SigningKeyStore;
  /** Listens to every change that can make a remembered state wrong, on a connection of its own. */
  openInvalidationStream(options: InvalidationStreamOptions): OpenInvalidationStream;
  /** Listens to what comes into the outbox of notifications, on a connection of its own. */
  openLogoutNotices(options: LogoutNoticesOptions): OpenLogoutNotices;
  /** The stores whose changes are recorded as someone's; without it initial access tokens are the `service`'s. */
  actingAs(
    author: Author,
  ): Pick<Database, 'initialAccessTokens' | 'revocations' | 'dataKeys' | 'signingKeys'> &
    Pick<ProviderRecords, 'sessions'> & { readonly logoutDeliveries: Pick<DeliveryOutbox, 'redeliver'> };
  /** Chains the audit events that are not chained yet; any number of processes may try, one does. */
  chainAuditEvents(chaining?: Chaining): Promise<ChainedEvents>;
  /** Audit events in the order in which they were recorded. */
  auditEvents(selection?: AuditSelection): AsyncIterable<AuditRecord>;
  /** Tells whether the chain of audit events is as it was made, and where it is not. */
  verifyAuditChain(range?: ChainRange): Promise<ChainVerdict>;
  /** Deletes what has expired; any number of processes may do so at once. */
  cleanUp(round: CleanUp): Promise<CleanUpCounts>;
  /** Encrypts every record anew that is not under the key that encrypts now. */
  reencrypt(keys: ReencryptKeys, round?: ReencryptRound): Promise<ReencryptReport>;
  /**
   * Resolves when all of these migrations are applied.
   * @throws SchemaTooOldError when the schema is older
   */
  requireSchema(migrations: readonly string[]): Promise<void>;
  /** What the server says of itself: its timeline and its standbys. */
  serverState(): Promise<ServerState>;
  /** Tells every open revocation feed that anything may have changed: the server is not the one that it was. */
  discard(): void;
  /** The time that the database has, in milliseconds since the epoch. */
  nowMs(): Promise<number>;
  readonly counters: DatabaseCounters;
  /** What the pool of connections consists of now. */
  connections(): DatabaseConnections;
  /** Resolves when the database answers, rejects when it does not within its time limits. */
  ping(): Promise<void>;
  /** Ends all connections, after the statements that are under way. May be called again. */
  close(): Promise<void>;
}

const NOW: Statement = {
  name: 'now',
  text: 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now_ms',
  repeatable: true,
};
const PING: Statement = { name: 'ping', text: 'SELECT 1', repeatable: true };

/**
 * Opens a database without connecting: the first statement does. Atomic changes and what services do all
 * the time are prepared statements; administration goes through Prisma, over connections of its own.
 */
export function openDatabase(options: ConnectionOptions): Database {
  const pool = connectionPool(options);
  const { poolSize, statementTimeoutMs } = connectionBounds(options);
  const [line, counters] = [connectionSemaphore(poolSize), databaseCounters()];
  const runner = statementRunner(pool, { poolSize, statementTimeoutMs, line, counters });
  const { tracer } = options;
  const run = tracer === undefined ? runner : tracedStatements(runner, tracer);
  const prisma = lazyPrisma(options);
  const streams: OpenInvalidationStream[] = [];
  let closing: Promise<void> | undefined;
  const close = async () => {
    await prisma.disconnect();
    await pool.end();
  };
  return {
    clients: clientRepository(run),
    initialAccessTokens: initialAccessTokenStore(run),
    listedInitialTokens: listedInitialTokens(run),
    idempotencyRecords: idempotencyRecordStore(run),
    accessTokens: accessTokenStore(run),
    revocations: revocationStore(run),
    replays: replayStore(run),
    providerRecords: providerRecords(run, tracer?.traceparent),
    logoutSessions: logoutSessions(run, tracer?.traceparent),
    logoutDeliveries: deliveryOutbox(run),
    deliveryStates: deliveryStates(run),
    expiredSessions: expiredSessions(run),
    federation: federationRecords(run),
    dataKeys: dataKeyStore(run, prisma.obtain),
    signingKeys: signingKeyStore(run, prisma.obtain),
    openInvalidationStream: (stream) => {
      const { url, applicationName = 'vestibule' } = options;
      const opened = openInvalidationStream({ url, applicationName: `${applicationName} feed`, run }, stream);
      streams.push(opened);
      return opened;
    },
    openLogoutNotices: (invalidations) => {
      const { url, applicationName = 'vestibule' } = options;
      return openLogoutNotices({ url, applicationName: `${applicationName} logout` }, invalidations);
    },
    actingAs: (author) => ({
      initialAccessTokens: initialAccessTokenStore(run, author),
      revocations: recordedRevocations(run, author),
      sessions: recordedSessions(run, author, tracer?.traceparent),
      dataKeys: dataKeyStore(run, prisma.obtain, author),
      signingKeys: signingKeyStore(run, prisma.obtain, author),
      logoutDeliveries: recordedRedeliveries(run, author),
    }),
    chainAuditEvents: (chaining) => chainEvents(pool, chaining),
    auditEvents: (selection) => readEvents(run, selection),
    verifyAuditChain: (range) => verifyChain(run, range),
    cleanUp: (round) => cleanUp(run, round),
    reencrypt: (keys, round) => reencrypt(run, keys, round),
    requireSchema: (migrations) => requireSchema(run, migrations),
    serverState: () => readServerState(run),
    discard: () => {
      for (const stream of streams) stream.discard();
    },
    nowMs: async () => {
      const { rows } = await run<{ now_ms: number }>(NOW, []);
      return rows[0]?.now_ms ?? Number.NaN;
    },
    counters,
    connections: () => {
      const { totalCount, idleCount: idle } = pool;
      return { busy: totalCount - idle, idle, waiting: line.waiting };
    },
    ping: async () => {
      await run(PING, []);
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
