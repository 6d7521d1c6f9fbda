import {
  KEY_PAIR_ENCRYPTION_ALGORITHMS,
  KeyEncryptionError,
  type KeyEncryptionKeys,
  secureRandom,
  type UnopenedDataKey,
  UnopenedDataKeysError,
} from '@vestibule/crypto';
import { openStore, SchemaTooOldError, type Store, startChaining, startCleanUp } from '@vestibule/database';
import { type AsymmetricAlgorithm, OutdatedServerError, systemClock, type Tracer } from '@vestibule/protocol';
import { registerDatabaseMetrics } from './database-metrics.js';
import type { Logger } from './logger.js';
import { type MaintenanceJob, maintenanceMetrics } from './maintenance-metrics.js';
import type { Metrics } from './metrics.js';
import type { Dependency } from './readiness.js';
import type { Secret } from './secret.js';
import { reportServerChange } from './server-change.js';

/** What opening the store of a service takes. */
export interface ServiceStoreOptions {
  readonly name: string;
  readonly settings: {
    readonly DATABASE_URL: Secret;
    readonly DATABASE_POOL_SIZE: number;
    readonly ENCRYPTION_KEYS: KeyEncryptionKeys;
  };
  readonly logger: Logger;
  /** Where what the database counts shows; without it nowhere. */
  readonly metrics?: Pick<Metrics, 'registry'>;
  /** Records statements as parts of traces; without it nobody does. */
  readonly tracer?: Tracer | undefined;
  /**
   * How long a statement may wait for a connection, and how long it may then take; below the time in which the service
   * answers.
   */
  readonly statementTimeoutMs?: number;
  /** Algorithms for which this service makes signing keys where there are none. Default none. */
  readonly signingAlgorithms?: readonly AsymmetricAlgorithm[];
  /** The same for the keys of the federation entity; without it this service does not have them. */
  readonly federationAlgorithms?: readonly AsymmetricAlgorithm[] | undefined;
  /** Whether it also makes the keys that others encrypt to, where there are none. Default not. */
  readonly makesEncryptionKeys?: boolean;
  /**
   * How often this service deletes what has expired, in seconds; any number of instances may. Default never. A service
   * that does also chains audit events.
   */
  readonly cleanUpIntervalSeconds?: number;
}

/** How long an audit event waits for its place in the chain at most, as long as someone chains. */
const CHAIN_INTERVAL_MS = 10_000;

/** The store of a service, and how readiness and shutdown see it. */
export interface ServiceStore {
  readonly store: Store;
  readonly dependency: Dependency;
}

/**
 * Opens the store of a service as its settings say; it becomes usable when the database is. With key-encryption keys
 * that are not those of the database it never does: that is logged as an error, and the service stays not ready.
 */
export function openServiceStore(options: ServiceStoreOptions): ServiceStore {
  const { name, settings, logger, metrics, tracer, statementTimeoutMs, cleanUpIntervalSeconds } = options;
  const { signingAlgorithms, federationAlgorithms, makesEncryptionKeys = false } = options;
  let problem: string | undefined;
  const store = openStore({
    connection: {
      url: settings.DATABASE_URL.reveal(),
      poolSize: settings.DATABASE_POOL_SIZE,
      applicationName: `vestibule ${name}`,
      ...(statementTimeoutMs !== undefined && { statementTimeoutMs }),
      tracer,
      onConnectionError: (error) =>
        logger.warn({ error, dependency: 'store' }, 'a database connection failed'),
    },
    keyEncryptionKeys: settings.ENCRYPTION_KEYS,
    clock: systemClock,
    random: secureRandom,
    ...(signingAlgorithms && { signingAlgorithms }),
    ...(federationAlgorithms && { federationAlgorithms }),
    ...(makesEncryptionKeys && { encryptionAlgorithms: KEY_PAIR_ENCRYPTION_ALGORITHMS }),
    onProblem: (error) => {
      problem = lastingProblem(error);
      reportProblem(error, problem, logger);
    },
    onServerChange: (change) => reportServerChange(change, logger),
  });
  let isOpen = false;
  store.opened.then(
    () => {
      isOpen = true;
    },
    () => undefined,
  );
  if (metrics !== undefined) registerDatabaseMetrics(metrics.registry, store);
  const maintenanceJobs =
    cleanUpIntervalSeconds === undefined
      ? []
      : startMaintenanceJobs(store, cleanUpIntervalSeconds, { logger, ...(metrics && { metrics }) });
  const close = async () => {
    await Promise.all(maintenanceJobs.map((maintenanceJob) => maintenanceJob.stop()));
    await store.close();
  };
  const whyClosed = () => (isOpen ? undefined : problem);
  return { store, dependency: { name: 'store', check: store.check, problem: whyClosed, close } };
}

/** What keeps a store closed until an operator mends it, as a sentence; `undefined` for what may pass by itself. */
function lastingProblem(error: unknown): string | undefined {
  if (error instanceof OutdatedServerError) return error.message;
  if (error instanceof UnopenedDataKeysError)
    return 'ENCRYPTION_KEYS cannot decrypt every data key of this database';
  if (error instanceof KeyEncryptionError)
    return 'ENCRYPTION_KEYS cannot decrypt the data keys of this database';
  if (error instanceof SchemaTooOldError)
    return 'the database lacks migrations of this version: run vestibule db migrate';
  return undefined;
}

function reportProblem(error: unknown, lasting: string | undefined, logger: Logger): void {
  const detail = problemDetail(error);
  const entry = { error, dependency: 'store', ...(detail !== undefined && { detail }) };
  if (lasting === undefined) logger.warn(entry, 'the data keys cannot be read from the database');
  else logger.error(entry, lasting);
}

function problemDetail(error: unknown): string | undefined {
  if (error instanceof UnopenedDataKeysError) return error.keys.map(nameOf).join(', ');
  return error instanceof SchemaTooOldError ? error.missing[0] : undefined;
}

function nameOf({ id, purpose, state }: UnopenedDataKey): string {
  return `${state} ${purpose} key ${id}`;
}

/** Where chores tell how they went. */
type Observed = Pick<ServiceStoreOptions, 'logger' | 'metrics'>;

function startMaintenanceJobs(
  store: Store,
  intervalSeconds: number,
  { logger, metrics }: Observed,
): RunningJob[] {
  const succeeded =
    metrics === undefined
      ? (_maintenanceJob: MaintenanceJob) => undefined
      : maintenanceMetrics(metrics.registry, systemClock, ['clean_up', 'audit_chain']);
  return [
    startCleanUp({
      database: store.database,
      clock: store.clock,
      intervalMs: intervalSeconds * 1000,
      onError: (error) => logger.warn({ error, dependency: 'store' }, 'deleting expired rows failed'),
      onDone: () => succeeded('clean_up'),
    }),
    // The end of the chain goes to the log, where whoever can change the database cannot follow.
    startChaining({
      database: store.database,
      intervalMs: CHAIN_INTERVAL_MS,
      onError: (error) => logger.warn({ error, dependency: 'store' }, 'chaining audit events failed'),
      onHead: ({ position, hash }) =>
        logger.info({ auditPosition: position.toString(), auditHash: hash }, 'audit events are chained'),
      onDone: () => succeeded('audit_chain'),
    }),
  ];
}

interface RunningJob {
  stop(): Promise<void>;
}
