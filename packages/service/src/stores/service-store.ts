import { secureRandom } from '@vestibule/crypto';
import {
  KeyEncryptionError,
  type KeyEncryptionKeys,
  type UnopenedDataKey,
  UnopenedDataKeysError,
} from '@vestibule/crypto/data-keys';
import { KEY_PAIR_ENCRYPTION_ALGORITHMS } from '@vestibule/crypto/signing-keys';
import { openStore, SchemaTooOldError, type Store, startChaining, startCleanUp } from '@vestibule/database';
import { type AgreedSettings, startSettingsWatch } from '@vestibule/database/agreed-settings';
import type { Logger, Metrics } from '@vestibule/http/observability';
import { OutdatedServerError, systemClock, type Tracer } from '@vestibule/protocol';
import type { AsymmetricAlgorithm } from '@vestibule/protocol/constants';
import { registerDatabaseMetrics } from '../metrics/database-metrics.js';
import { type MaintenanceJobName, maintenanceMetrics } from '../metrics/maintenance-metrics.js';
import type { Dependency } from '../process/readiness.js';
import type { Secret } from '../settings/secret.js';
import { reportServerChange } from './server-change.js';

/** Options of {@link openServiceStore}. */
export interface ServiceStoreOptions {
  readonly name: string;
  readonly settings: {
    readonly DATABASE_URL: Secret;
    readonly DATABASE_POOL_SIZE: number;
    readonly ENCRYPTION_KEYS: KeyEncryptionKeys;
  };
  readonly logger: Logger;
  /** Registry for database metrics, if given. */
  readonly metrics?: Pick<Metrics, 'registry'>;
  /** Records statements as spans, if given. */
  readonly tracer?: Tracer | undefined;
  /**
   * Time limit for waiting for a connection, and again for executing the statement. Must be below the response time
   * limit of the service.
   */
  readonly statementTimeoutMs?: number;
  /** Algorithms for which this service creates missing signing keys. Default: none. */
  readonly signingAlgorithms?: readonly AsymmetricAlgorithm[];
  /** The same for federation keys; without it, this service has no federation keys. */
  readonly federationAlgorithms?: readonly AsymmetricAlgorithm[] | undefined;
  /** Whether the service also creates missing encryption key pairs. Default false. */
  readonly makesEncryptionKeys?: boolean;
  /**
   * Interval for deleting expired rows, in seconds; any number of instances may do this. Default: never. A service that
   * does also chains audit events.
   */
  readonly cleanUpIntervalSeconds?: number;
  /** How long that service keeps changes for readers, in seconds. */
  readonly changeRetentionSeconds?: number;
  /** The settings of this service on which all processes over the database must agree. Conflicts are logged. */
  readonly agreed?: AgreedSettings;
}

/** Maximum time until an audit event is chained, while a service chains events. */
const CHAIN_INTERVAL_MS = 10_000;

/** The store of a service, and the dependency for readiness and shutdown. */
export interface ServiceStore {
  readonly store: Store;
  readonly dependency: Dependency;
}

/**
 * Opens the store of a service as configured. It becomes usable when the database is. With wrong key-encryption keys it
 * never does: this is logged as an error, and the service stays not ready.
 */
export function openServiceStore(options: ServiceStoreOptions): ServiceStore {
  const { name, settings, logger, metrics, tracer, statementTimeoutMs, cleanUpIntervalSeconds } = options;
  const { changeRetentionSeconds } = options;
  const { signingAlgorithms, federationAlgorithms, makesEncryptionKeys = false, agreed } = options;
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
      : startMaintenanceJobs(
          store,
          { intervalSeconds: cleanUpIntervalSeconds, changeRetentionSeconds },
          { logger, ...(metrics && { metrics }) },
        );
  const watch = agreed && watchSettings(store, { program: name, settings: agreed, logger });
  const close = async () => {
    await watch?.stop();
    await Promise.all(maintenanceJobs.map((maintenanceJob) => maintenanceJob.stop()));
    await store.close();
  };
  const whyClosed = () => (isOpen ? undefined : problem);
  return { store, dependency: { name: 'store', check: store.check, problem: whyClosed, close } };
}

/** Describes a problem that an operator must fix before the store can open; `undefined` for transient errors. */
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

function watchSettings(
  store: Store,
  {
    program,
    settings,
    logger,
  }: { readonly program: string; readonly settings: AgreedSettings; readonly logger: Logger },
): RunningJob {
  return startSettingsWatch({
    store,
    program,
    settings,
    onConflict: (sentence) => logger.warn({ dependency: 'store' }, sentence),
    onError: (error) => logger.warn({ error, dependency: 'store' }, 'other processes cannot be listed'),
  });
}

interface CleanUpTimes {
  readonly intervalSeconds: number;
  readonly changeRetentionSeconds: number | undefined;
}

/** Outputs of the maintenance jobs. */
type Observed = Pick<ServiceStoreOptions, 'logger' | 'metrics'>;

function startMaintenanceJobs(
  store: Store,
  { intervalSeconds, changeRetentionSeconds }: CleanUpTimes,
  { logger, metrics }: Observed,
): RunningJob[] {
  const succeeded =
    metrics === undefined
      ? (_maintenanceJob: MaintenanceJobName) => undefined
      : maintenanceMetrics(metrics.registry, systemClock, ['clean_up', 'audit_chain']);
  return [
    startCleanUp({
      database: store.database,
      clock: store.clock,
      intervalMs: intervalSeconds * 1000,
      changeRetentionSeconds,
      onError: (error) => logger.warn({ error, dependency: 'store' }, 'deleting expired rows failed'),
      onDone: () => succeeded('clean_up'),
    }),
    // The chain head goes to the log, which a person who can change the database cannot change.
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
