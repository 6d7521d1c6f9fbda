import { createRemoteKeySets, secureRandom } from '@vestibule/crypto';
import type { Store } from '@vestibule/database';
import { type Egress, keySetFetcher } from '@vestibule/egress';
import {
  type AttemptDeps,
  attemptDelivery,
  type DeliveryWorker,
  startDeliveryWorker,
} from '@vestibule/logout';
import { type Issuer, systemClock, type Tracer } from '@vestibule/protocol';
import {
  createServiceEgress,
  type Dependency,
  type Logger,
  lastingFault,
  type Metrics,
} from '@vestibule/service-kit';
import { startDeliveryJobs } from './delivery-jobs.js';
import { deliveryMetrics } from './delivery-metrics.js';
import type { DeliveryConfig } from './delivery-settings.js';
import { tracedAttempts } from './traced-attempts.js';

/** What delivering takes. */
export interface DeliveriesOptions {
  readonly config: DeliveryConfig & {
    readonly BASE_URL: Issuer;
    readonly EGRESS_ALLOW_HOSTS: readonly string[];
  };
  readonly store: Pick<Store, 'database' | 'providerKeys' | 'encryptor' | 'clock' | 'opened'>;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'registry'>;
  /** Records attempts as parts of the traces that the sessions ended in; without it nobody does. */
  readonly tracer?: Tracer | undefined;
}

const DEPENDENCY = 'deliveries';

/** Deliveries at a time to one host, without those that are slow. */
const PER_HOST = 4;

/** Slow deliveries, each of which is little more than a socket, for each one that makes progress. */
const SLOW_FACTOR = 4;

/** How long a key set may take that a logout token is encrypted with, so that the delivery has time left. */
const KEY_SET_DEADLINE_MS = 1_500;

/** How long those under way may take when the process ends; the whole process has nine seconds. */
const STOP_MS = 2_500;

const monotonic = () => performance.now();

const after = (delayMs: number, run: () => void) => {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
};

/**
 * Delivers notifications, and ends sessions that have expired, from the moment at which the store can be used. Any
 * number of processes may do so at once. It returns at once.
 * @returns how shutdown sees it: what is under way is finished, or released for another process
 */
export function openDeliveries(options: DeliveriesOptions): Dependency {
  let running: { stop(): Promise<void> } | undefined;
  let isClosed = false;
  const start = () => {
    if (!isClosed) running = startDeliveries(options);
  };
  // A store that never opens says so itself.
  options.store.opened.then(start, () => undefined);
  return {
    name: DEPENDENCY,
    close: async () => {
      isClosed = true;
      await running?.stop();
    },
  };
}

function startDeliveries(options: DeliveriesOptions): { stop(): Promise<void> } {
  const { config, store, logger } = options;
  const { logoutDeliveries: outbox, expiredSessions } = store.database;
  const worker = startWorker(options);
  const invalidations = store.database.openLogoutNotices({
    onWaiting: worker.wake,
    onProblem: lastingFault({
      logger,
      dependency: DEPENDENCY,
      sentence: 'new notifications cannot be heard',
    }),
  });
  const maintenanceJobs = startDeliveryJobs({
    outbox,
    sessions: expiredSessions,
    clock: store.clock,
    intervalMs: config.LOGOUT_EXPIRED_SESSIONS_INTERVAL_SECONDS * 1000,
    retentionSeconds: config.LOGOUT_DELIVERY_RETENTION_SECONDS,
    onError: (error) => logger.warn({ error, dependency: DEPENDENCY }, 'expired sessions could not be ended'),
  });
  return {
    stop: async () => {
      invalidations.close();
      await Promise.all([maintenanceJobs.stop(), worker.stop()]);
    },
  };
}

function startWorker(options: DeliveriesOptions): DeliveryWorker {
  const {
    config,
    store,
    logger,
    metrics: { registry },
    tracer,
  } = options;
  const outbox = store.database.logoutDeliveries;
  const onProblem = lastingFault({
    logger,
    dependency: DEPENDENCY,
    sentence: 'notifications cannot be delivered',
  });
  const deps = attemptDeps(options, onProblem);
  const metrics = deliveryMetrics(registry, outbox, monotonic);
  return startDeliveryWorker({
    outbox,
    attempt: tracedAttempts((delivery, signal) => attemptDelivery(deps, delivery, signal), tracer),
    bounds: {
      concurrency: config.LOGOUT_DELIVERY_CONCURRENCY,
      slow: SLOW_FACTOR * config.LOGOUT_DELIVERY_CONCURRENCY,
      perHost: PER_HOST,
      leaseMs: config.LOGOUT_DELIVERY_LEASE_SECONDS * 1000,
      pollMs: config.LOGOUT_DELIVERY_POLL_MS,
      maxAgeMs: config.LOGOUT_DELIVERY_MAX_AGE_SECONDS * 1000,
      stopMs: STOP_MS,
    },
    monotonic,
    scheduler: { after },
    random: secureRandom,
    onProblem,
    onAttempt: (outcome, result, ms) => {
      metrics.count(outcome, result, ms);
      const { error: reason, status } = outcome;
      if (result.state === 'dead')
        logger.warn({ detail: result.id, reason, status }, 'a notification was given up');
    },
  });
}

function attemptDeps(
  { config, store, metrics, tracer }: DeliveriesOptions,
  onProblem: (error: unknown) => void,
): AttemptDeps {
  const { database, providerKeys, encryptor } = store;
  // A budget of its own: as many as are delivered and as are slow, so that nothing queues there. The worker keeps to the
  // limits of each host and client.
  const maxConcurrent = (1 + SLOW_FACTOR) * config.LOGOUT_DELIVERY_CONCURRENCY;
  const egress = createServiceEgress({
    settings: config,
    metrics,
    tracer,
    maxConcurrent,
    maxConcurrentPerOrigin: maxConcurrent,
    maxConcurrentUnanswered: maxConcurrent,
  });
  return {
    clock: systemClock,
    issuer: config.BASE_URL,
    random: secureRandom,
    keys: providerKeys,
    encryptor,
    clients: database.clients,
    records: database.providerRecords,
    remoteKeySets: createRemoteKeySets({ fetch: keySetFetcher(hurried(egress)), clock: systemClock }),
    sender: egress,
    monotonic,
    attemptTimeoutMs: config.LOGOUT_DELIVERY_TIMEOUT_MS,
    onProblem,
  };
}

function hurried(egress: Egress): Pick<Egress, 'fetchDocument'> {
  return {
    fetchDocument: (request) => egress.fetchDocument({ ...request, deadlineMs: KEY_SET_DEADLINE_MS }),
  };
}
