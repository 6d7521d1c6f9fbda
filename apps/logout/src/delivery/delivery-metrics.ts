import { setTimeout as delay } from 'node:timers/promises';
import type {
  AttemptOutcome,
  DeliveryOutbox,
  DeliveryResult,
  WaitingDeliveries,
} from '@vestibule/logout/delivery';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Counts delivery attempts. */
export interface DeliveryMetrics {
  count(outcome: AttemptOutcome, result: DeliveryResult, ms: number): void;
}

/** Buckets of attempt durations, in seconds. */
const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** How long the numbers of waiting notifications are reused before the outbox is queried again. */
const CACHE_MS = 1_000;

/** How long a scrape waits for fresh numbers; after that it gets the previous ones. */
const SCRAPE_TIMEOUT_MS = 500;

/** Registers the delivery metrics. Label values are a fixed set, never names of clients or hosts. */
export function deliveryMetrics(
  registry: Registry,
  outbox: Pick<DeliveryOutbox, 'waiting'>,
  monotonic: () => number,
): DeliveryMetrics {
  const registers = [registry];
  const attempts = new Counter({
    name: 'logout_delivery_attempts_total',
    help: 'Attempts to deliver back-channel notifications, by outcome: `delivered`, `retry`, `given_up` or `called_off`.',
    labelNames: ['outcome'] as const,
    registers,
  });
  const failures = new Counter({
    name: 'logout_delivery_failures_total',
    help: 'Delivery attempts that failed, by reason.',
    labelNames: ['reason'] as const,
    registers,
  });
  const seconds = new Histogram({
    name: 'logout_delivery_attempt_seconds',
    help: 'Duration of delivery attempts.',
    buckets: BUCKETS,
    registers,
  });
  for (const outcome of Object.values(OUTCOMES)) attempts.inc({ outcome }, 0);
  for (const reason of COMMON_REASONS) failures.inc({ reason }, 0);
  registerWaiting(registry, outbox, monotonic);
  return {
    count: (outcome, { state }, ms) => {
      const isGivenUp = state === 'dead';
      attempts.inc({ outcome: isGivenUp ? 'given_up' : OUTCOMES[outcome.verdict] });
      if (outcome.verdict !== 'delivered') failures.inc({ reason: outcome.error });
      seconds.observe(ms / 1000);
    },
  };
}

const OUTCOMES: Readonly<Record<AttemptOutcome['verdict'], string>> = {
  delivered: 'delivered',
  retry: 'retry',
  final: 'given_up',
  released: 'called_off',
};

/**
 * Reasons that are exported as 0 from the start, so that the first failure is visible as an increase. Others appear
 * when they occur.
 */
const COMMON_REASONS = ['timeout', 'refused', 'status', 'protocol'];

function registerWaiting(
  registry: Registry,
  outbox: Pick<DeliveryOutbox, 'waiting'>,
  monotonic: () => number,
): void {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let last: WaitingDeliveries | undefined;
  let reading: Promise<void> = Promise.resolve();
  const read = async () => {
    if (monotonic() - readAtMs >= CACHE_MS) {
      readAtMs = monotonic();
      // While the store does not respond, the last numbers are kept; the outage has a metric of its own.
      reading = outbox.waiting().then(
        (waiting) => {
          last = waiting;
        },
        () => undefined,
      );
    }
    await Promise.race([reading, delay(SCRAPE_TIMEOUT_MS, undefined, { ref: false })]);
    return last;
  };
  for (const [name, help, member] of GAUGES) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const waiting = await read();
        if (waiting !== undefined) this.set(waiting[member]);
      },
    });
  }
}

const GAUGES: readonly (readonly [name: string, help: string, member: keyof WaitingDeliveries])[] = [
  ['logout_deliveries_waiting', 'Notifications that wait for an attempt.', 'pending'],
  ['logout_deliveries_dead', 'Notifications that were given up, within their retention.', 'dead'],
  [
    'logout_delivery_oldest_seconds',
    'Age of the oldest waiting notification; 0 if none waits.',
    'oldestSeconds',
  ],
];
