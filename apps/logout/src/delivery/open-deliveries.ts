import { secureRandom } from '@vestibule/crypto';
import { createRemoteKeySets } from '@vestibule/crypto/public-keys';
import type { Store } from '@vestibule/database';
import { keySetFetcher } from '@vestibule/egress';
import type { Logger, Metrics } from '@vestibule/http/observability';
import {
  type AttemptDeps,
  type DeliveryAttempt,
  type DeliveryWorker,
  deliveryAttempt,
  startDeliveryWorker,
} from '@vestibule/logout/delivery';
import { type Issuer, systemClock, type Tracer } from '@vestibule/protocol';
import { nodeScheduler } from '@vestibule/protocol/runtime';
import { createServiceEgress } from '@vestibule/service';
import { type Dependency, lastingFault } from '@vestibule/service/process';
import { startDeliveryJobs } from './delivery-jobs.js';
import { deliveryMetrics } from './delivery-metrics.js';
import type { DeliveryConfig } from './delivery-settings.js';

/** Options of {@link openDeliveries}. */
export interface DeliveriesOptions {
  readonly config: DeliveryConfig & {
    readonly BASE_URL: Issuer;
    readonly EGRESS_ALLOW_HOSTS: readonly string[];
  };
  readonly store: Pick<Store, 'database' | 'providerKeys' | 'encryptor' | 'clock' | 'opened'>;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'registry'>;
  /** Records each attempt in the trace in which the session ended. Without it attempts are not traced. */
  readonly tracer?: Tracer | undefined;
}

const DEPENDENCY = 'deliveries';

/** Parallel deliveries to one host, not counting slow ones. */
const PER_HOST = 4;

/** Slow deliveries allowed for each one in progress. A slow one costs little more than a socket. */
const SLOW_FACTOR = 4;

/** Deadline for fetching a key set to encrypt a logout token with, so that the delivery has time left. */
const KEY_SET_DEADLINE_MS = 1_500;

/** How long deliveries under way may take at shutdown; the whole process has nine seconds. */
const STOP_MS = 2_500;

const monotonic = () => performance.now();

/**
 * Delivers notifications and ends expired sessions, from the moment at which the store can be used. Any number of
 * processes may do so in parallel. Returns at once.
 * @returns the dependency to close at shutdown: deliveries under way are finished, or released for another process
 */
export function openDeliveries(options: DeliveriesOptions): Dependency {
  let running: { stop(): Promise<void> } | undefined;
  let isClosed = false;
  const start = () => {
    if (!isClosed) running = startDeliveries(options);
  };
  // A store that does not open reports that itself.
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
      sentence: 'cannot listen for new notifications',
    }),
  });
  const maintenanceJobs = startDeliveryJobs({
    outbox,
    sessions: expiredSessions,
    clock: store.clock,
    intervalMs: config.LOGOUT_EXPIRED_SESSIONS_INTERVAL_SECONDS * 1000,
    retentionSeconds: config.LOGOUT_DELIVERY_RETENTION_SECONDS,
    onError: (error) => logger.warn({ error, dependency: DEPENDENCY }, 'cannot end expired sessions'),
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
    sentence: 'cannot deliver notifications',
  });
  const metrics = deliveryMetrics(registry, outbox, monotonic);
  return startDeliveryWorker({
    outbox,
    attempt: tracedAttempts(deliveryAttempt(attemptDeps(options, onProblem)), tracer),
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
    scheduler: nodeScheduler,
    random: secureRandom,
    onProblem,
    onAttempt: (outcome, result, ms) => {
      metrics.count(outcome, result, ms);
      const { error: reason, status } = result;
      if (result.state === 'dead')
        logger.warn({ detail: result.id, reason, status }, 'notification given up');
    },
  });
}

function attemptDeps(
  { config, store, metrics, tracer }: DeliveriesOptions,
  onProblem: (error: unknown) => void,
): AttemptDeps {
  const { database, providerKeys, encryptor } = store;
  // A separate budget for all deliveries, slow ones included, so that nothing queues in it. The worker enforces the
  // limits per host and client.
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
    remoteKeySets: createRemoteKeySets({
      fetch: keySetFetcher(egress, { deadlineMs: KEY_SET_DEADLINE_MS }),
      clock: systemClock,
    }),
    sender: egress,
    monotonic,
    attemptTimeoutMs: config.LOGOUT_DELIVERY_TIMEOUT_MS,
    onProblem,
  };
}

/**
 * Records attempts as spans in the trace of the request that ended the session, in whichever service. If that request
 * was not traced, neither are the attempts.
 */
function tracedAttempts(attempt: DeliveryAttempt, tracer: Tracer | undefined): DeliveryAttempt {
  if (tracer === undefined) return attempt;
  return (delivery, signal) => {
    const { id, attempt: number, traceparent } = delivery;
    if (traceparent === undefined) return attempt(delivery, signal);
    const attributes = { 'vestibule.delivery': id, 'vestibule.attempt': number };
    return tracer.span(
      { name: 'logout delivery', kind: 'consumer', attributes, traceparent },
      async (span) => {
        const outcome = await attempt(delivery, signal);
        span.setAttributes({ 'vestibule.outcome': outcome.verdict });
        if (outcome.verdict !== 'delivered') span.fail(outcome.error);
        return outcome;
      },
    );
  };
}
