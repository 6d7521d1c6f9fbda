import type { ReplayStore } from '@vestibule/client-auth/assertions';
import type { ClientRepository } from '@vestibule/clients';
import type { ClientBlocks } from '@vestibule/clients/blocks';
import type { OwnedClients } from '@vestibule/clients/files';
import type { DocumentStore } from '@vestibule/clients/metadata-documents';
import type { IdempotencyRecordStore, InitialAccessTokenStore } from '@vestibule/clients/registration';
import type { DataKeyStore } from '@vestibule/crypto/data-keys';
import type { SigningKeyStore } from '@vestibule/crypto/signing-keys';
import type { DeliveryStates, LogoutSessions } from '@vestibule/logout';
import type { DeliveryOutbox, ExpiredSessions } from '@vestibule/logout/delivery';
import type { ClientId } from '@vestibule/protocol';
import type { AccessTokenStore } from '@vestibule/tokens';
import type { ChangeDeliveries, ChangeLog } from '@vestibule/tokens/changes';
import type { ImportedTokenStore } from '@vestibule/tokens/importing';
import type { InactiveTokenRecords } from '@vestibule/tokens/introspection';
import type { ProviderRecords } from '@vestibule/tokens/provider';
import type { RevocationStore } from '@vestibule/tokens/revocation';
import { accessTokenStore } from './access-token-store.js';
import { type ActivityRecords, activityRecords } from './activity-records/activity-records.js';
import { type RunningProcesses, runningProcesses } from './agreed-settings/running-process-store.js';
import type { Author } from './audit/author.js';
import { type ChainedEvents, type ChainHead, type Chaining, chainEvents } from './audit/chain-events.js';
import { readChainHead } from './audit/chain-head.js';
import { type ListedEvents, listedEvents } from './audit/listed-events.js';
import { type ProgramEvents, programEvents } from './audit/program-events.js';
import { type AuditRecord, type AuditSelection, readEvents } from './audit/read-events.js';
import { recordedRedeliveries } from './audit/recorded-redeliveries.js';
import { recordedRevocations } from './audit/recorded-revocations.js';
import { recordedSessions } from './audit/recorded-sessions.js';
import { type AuditChainVerdict, type ChainRange, verifyChain } from './audit/verify-chain.js';
import { changeDeliveries } from './changes/change-deliveries.js';
import { changeLog } from './changes/change-log.js';
import { type ChangeNoticesOptions, openChangeNotices } from './changes/change-notices.js';
import { type CleanUp, type CleanUpCounts, cleanUp } from './clean-up.js';
import { clientBlocks, finishBlocks } from './client-blocks.js';
import { clientDocumentStore } from './client-document-store.js';
import { type ClientHoldings, clientHoldings } from './client-holdings.js';
import { clientRepository } from './client-repository.js';
import { connectionCheckout, connectionSemaphore } from './connection-checkout.js';
import { type ConnectionOptions, connectionBounds, connectionPool } from './connection-pool.js';
import { dataKeyStore } from './data-key-store.js';
import { type DatabaseConnections, type DatabaseCounters, databaseCounters } from './database-counters.js';
import { beginExclusiveRun, type ExclusiveRun } from './exclusive-run.js';
import { type FederationRecords, federationRecords } from './federation-records.js';
import { idempotencyRecordStore } from './idempotency-record-store.js';
import { importedTokenStore } from './imported-token-store.js';
import { inactiveTokenRecords } from './inactive-token-records.js';
import { initialAccessTokenStore } from './initial-access-token-store.js';
import { lazyPrisma } from './lazy-prisma.js';
import { limitedStatements } from './limited-statements.js';
import { type ListedInitialTokens, listedInitialTokens } from './listed-initial-tokens.js';
import { deliveryOutbox } from './logout/delivery-outbox.js';
import { deliveryStates } from './logout/delivery-states.js';
import { expiredSessions } from './logout/expired-sessions.js';
import { type ListedSessions, listedSessions } from './logout/listed-sessions.js';
import { type LogoutNoticesOptions, openLogoutNotices } from './logout/logout-notices.js';
import { logoutSessions } from './logout/logout-sessions.js';
import { requireSchema } from './migrations/required-schema.js';
import { ownConnection } from './own-connection.js';
import { ownedClients } from './owned-clients.js';
import { providerRecords } from './provider/provider-records.js';
import {
  type ReencryptKeys,
  type ReencryptReport,
  type ReencryptRun,
  reencrypt,
} from './reencrypt/reencrypt.js';
import { replayStore } from './replay-store.js';
import { readServerState, type ServerState } from './replication/server-state.js';
import { revocationStore } from './revocation-store.js';
import { signingKeyStore } from './signing-key-store.js';
import {
  checkedOutConnection,
  queryRunner,
  type RunQuery,
  type Statement,
  statementRunner,
} from './statement.js';
import {
  type InvalidationStreamOptions,
  type OpenInvalidationStream,
  openInvalidationStream,
} from './stream/invalidation-stream.js';
import type { OpenNotices } from './stream/notices.js';
import { tracedStatements } from './traced-statements.js';

/** The shared state of all services, in Postgres. */
export interface Database {
  readonly clients: ClientRepository;
  /** What operators have blocked. */
  readonly clientBlocks: ClientBlocks;
  /** Counts what belongs to a client, each kind up to a limit. */
  clientHoldings(id: ClientId): Promise<ClientHoldings>;
  /** What sets of files own. */
  readonly ownedClients: OwnedClients;
  /** The client ID metadata documents. */
  readonly clientDocuments: DocumentStore;
  readonly initialAccessTokens: InitialAccessTokenStore;
  /** The initial access tokens for operators. */
  readonly listedInitialTokens: ListedInitialTokens;
  readonly idempotencyRecords: IdempotencyRecordStore;
  readonly accessTokens: AccessTokenStore;
  /** Why tokens are not active, for operators. */
  readonly inactiveTokens: InactiveTokenRecords;
  readonly revocations: RevocationStore;
  /** The client assertions that were used. */
  readonly replays: ReplayStore;
  /** The records of an authorization server. */
  readonly providerRecords: ProviderRecords;
  /** The sessions for the logout service. */
  readonly logoutSessions: LogoutSessions;
  /** The outbox of back-channel logout notifications. */
  readonly logoutDeliveries: DeliveryOutbox;
  readonly deliveryStates: DeliveryStates;
  /** The sessions for operators. */
  readonly listedSessions: ListedSessions;
  readonly expiredSessions: ExpiredSessions;
  /** The deny list, purges of cached statements, and earlier federation keys. */
  readonly federation: FederationRecords;
  /** What happens in the store, for an overview. */
  readonly activity: ActivityRecords;
  readonly dataKeys: DataKeyStore;
  readonly signingKeys: SigningKeyStore;
  readonly runningProcesses: RunningProcesses;
  /** Follows every change that may make cached states outdated, on a connection of its own. */
  openInvalidationStream(options: InvalidationStreamOptions): OpenInvalidationStream;
  /** Listens for new deliveries in the outbox, on a connection of its own. */
  openLogoutNotices(options: LogoutNoticesOptions): OpenNotices;
  /** What ended, for servers with copies of their own. */
  readonly changes: ChangeLog;
  /** The last change that a receiver, named by its address, accepted. */
  changeDeliveries(receiver: string): ChangeDeliveries;
  /** Listens for new changes, on a connection of its own. */
  openChangeNotices(options: ChangeNoticesOptions): OpenNotices;
  /** Returns the stores whose changes are audited with the given author. The default actor is `service`. */
  actingAs(author: Author): Pick<
    Database,
    'initialAccessTokens' | 'revocations' | 'dataKeys' | 'signingKeys'
  > &
    Pick<ProviderRecords, 'sessions'> & {
      readonly logoutDeliveries: Pick<DeliveryOutbox, 'redeliver'>;
      readonly importedTokens: ImportedTokenStore;
      /** What a program records about itself. */
      readonly programEvents: ProgramEvents;
    };
  /** Chains the audit events that are not chained yet. Of any number of parallel processes one does. */
  chainAuditEvents(chaining?: Chaining): Promise<ChainedEvents>;
  /** Reads audit events in the order in which they were recorded. */
  auditEvents(selection?: AuditSelection): AsyncIterable<AuditRecord>;
  /** The audit events for operators, by filters and in pages. */
  readonly listedEvents: ListedEvents;
  /** Reads the end of the chain of audit events; `undefined` if none is chained. */
  auditChainHead(): Promise<ChainHead | undefined>;
  /** Verifies the chain of audit events, and finds the first invalid position. */
  verifyAuditChain(range?: ChainRange): Promise<AuditChainVerdict>;
  /**
   * Deletes expired rows, and blocked clients that an interrupted command left. Any number of processes may do so at the
   * same time.
   */
  cleanUp(options: CleanUp): Promise<CleanUpCounts>;
  /** Re-encrypts every record that is not encrypted under the current key. */
  reencrypt(keys: ReencryptKeys, options?: ReencryptRun): Promise<ReencryptReport>;
  /**
   * Checks that all of these migrations are applied.
   * @throws SchemaTooOldError when the schema is older
   */
  requireSchema(migrations: readonly string[]): Promise<void>;
  /** Reads the state of the server: its timeline and its standbys. */
  serverState(): Promise<ServerState>;
  /** Makes every open invalidation stream send an event that covers everything, because the server was replaced. */
  discard(): void;
  /**
   * Begins a run that no other process can make at the same time, by its name, on a connection of its own. Returns
   * `undefined` if another process makes it.
   */
  beginExclusiveRun(name: string): Promise<ExclusiveRun | undefined>;
  /** Reads the time of the database, in milliseconds since the epoch. */
  nowMs(): Promise<number>;
  readonly counters: DatabaseCounters;
  /** The current state of the connection pool. */
  connections(): DatabaseConnections;
  /** Resolves when the database responds, and rejects after a timeout. */
  ping(): Promise<void>;
  /** Closes all connections after the running statements. May be called repeatedly. */
  close(): Promise<void>;
}

// By hand, because every service runs them each second, and neither reads a table.
const NOW: Statement = {
  name: 'now',
  text: 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now_ms',
  repeatable: true,
};
const PING: Statement = { name: 'ping', text: 'SELECT 1', repeatable: true };

/** Statements that import tokens at the same time. The others find connections, and the locks of names stay few. */
const IMPORTS_AT_ONCE = 2;

/**
 * Opens a database. It connects with the first statement. Frequent operations and atomic changes are prepared
 * statements; everything else uses Prisma Client, over the same connections.
 */
export function openDatabase(options: ConnectionOptions): Database {
  const pool = connectionPool(options);
  const { poolSize, statementTimeoutMs } = connectionBounds(options);
  const [semaphore, counters] = [connectionSemaphore(poolSize), databaseCounters()];
  const checkout = connectionCheckout(pool, { poolSize, semaphore, counters });
  const { tracer } = options;
  const traced = (query: RunQuery) => (tracer === undefined ? query : tracedStatements(query, tracer));
  const query = traced(queryRunner(checkout, statementTimeoutMs));
  const run = statementRunner(query);
  const importSlots = connectionSemaphore(Math.min(IMPORTS_AT_ONCE, poolSize));
  const importing = limitedStatements(run, importSlots, statementTimeoutMs);
  const prisma = lazyPrisma({
    query,
    borrow: async () => {
      const connection = await checkedOutConnection(checkout, statementTimeoutMs);
      return { ...connection, query: traced(connection.query) };
    },
  });
  const streams: OpenInvalidationStream[] = [];
  let closing: Promise<void> | undefined;
  const close = async () => {
    await prisma.disconnect();
    await pool.end();
  };
  const blocks = clientBlocks(run, prisma.obtain);
  return {
    clients: clientRepository(run),
    clientBlocks: blocks,
    clientHoldings: (id) => clientHoldings(run, id),
    ownedClients: ownedClients(run),
    clientDocuments: clientDocumentStore(run),
    initialAccessTokens: initialAccessTokenStore(run),
    listedInitialTokens: listedInitialTokens(run, prisma.obtain),
    idempotencyRecords: idempotencyRecordStore(run),
    accessTokens: accessTokenStore(run),
    inactiveTokens: inactiveTokenRecords(run),
    revocations: revocationStore(run),
    replays: replayStore(run),
    providerRecords: providerRecords(run, tracer?.traceparent),
    logoutSessions: logoutSessions(run, tracer?.traceparent),
    logoutDeliveries: deliveryOutbox(run),
    deliveryStates: deliveryStates(run),
    listedSessions: listedSessions(run),
    expiredSessions: expiredSessions(run),
    federation: federationRecords(run, prisma.obtain),
    activity: activityRecords(run, prisma.obtain),
    dataKeys: dataKeyStore(run, prisma.obtain),
    signingKeys: signingKeyStore(run, prisma.obtain),
    runningProcesses: runningProcesses(run),
    openInvalidationStream: (stream) => {
      const { url, applicationName = 'vestibule' } = options;
      const connect = () => ownConnection({ url, applicationName: `${applicationName} invalidations` });
      const opened = openInvalidationStream({ connect, run }, stream);
      streams.push(opened);
      return opened;
    },
    openLogoutNotices: (invalidations) => {
      const { url, applicationName = 'vestibule' } = options;
      return openLogoutNotices({ url, applicationName: `${applicationName} logout` }, invalidations);
    },
    changes: changeLog(run),
    changeDeliveries: (receiver) => changeDeliveries(run, receiver),
    openChangeNotices: (notices) => {
      const { url, applicationName = 'vestibule' } = options;
      return openChangeNotices({ url, applicationName: `${applicationName} changes` }, notices);
    },
    actingAs: (author) => ({
      initialAccessTokens: initialAccessTokenStore(run, author),
      importedTokens: importedTokenStore(importing, author),
      revocations: recordedRevocations(run, author),
      sessions: recordedSessions(run, author, tracer?.traceparent),
      dataKeys: dataKeyStore(run, prisma.obtain, author),
      signingKeys: signingKeyStore(run, prisma.obtain, author),
      logoutDeliveries: recordedRedeliveries(run, author),
      programEvents: programEvents(prisma.obtain, author),
    }),
    chainAuditEvents: (chaining) => chainEvents(pool, chaining),
    auditEvents: (selection) => readEvents(prisma.obtain, selection),
    listedEvents: listedEvents(run),
    auditChainHead: () => readChainHead(run),
    verifyAuditChain: (range) => verifyChain(run, range),
    cleanUp: async (runOptions) => {
      const counts = await cleanUp(run, runOptions);
      await finishBlocks(blocks, runOptions.now);
      return counts;
    },
    reencrypt: (keys, runOptions) => reencrypt(run, keys, runOptions),
    requireSchema: (migrations) => requireSchema(run, migrations),
    serverState: () => readServerState(run),
    discard: () => {
      for (const stream of streams) stream.discard();
    },
    beginExclusiveRun: (name) => {
      const { url, applicationName = 'vestibule' } = options;
      return beginExclusiveRun({ url, applicationName: `${applicationName} exclusive run` }, name);
    },
    nowMs: async () => {
      const { rows } = await run<{ now_ms: number }>(NOW, []);
      return rows[0]?.now_ms ?? Number.NaN;
    },
    counters,
    connections: () => {
      const { totalCount, idleCount: idle } = pool;
      return { busy: totalCount - idle, idle, waiting: semaphore.waiting };
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
