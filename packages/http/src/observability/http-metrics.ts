import type { ErrorCode } from '@vestibule/protocol';
import { Histogram, type Registry } from 'prom-client';
import { readCounter } from './read-metrics.js';

/** Counts the responses of one operation. */
export interface OperationMetrics {
  /**
   * Counts a response, and the error code if the request failed. Cheap: labels are built only when the metrics are
   * scraped.
   */
  record(status: number, durationMs: number, failure?: ErrorCode): void;
}

/** Counts responses by operation. */
export interface HttpMetrics {
  /**
   * Registers an operation, once however often it is called.
   * @param operation method and route pattern; never a value from a request
   */
  operation(route_group: string, operation: string): OperationMetrics;
}

/** Upper bounds of the duration buckets, in seconds. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
const BUCKETS_MS = BUCKETS_SECONDS.map((seconds) => seconds * 1000);
const STATUS_COUNT = 600;

interface Tally {
  readonly route_group: string;
  readonly operation: string;
  /** Responses by status code. */
  readonly statuses: Float64Array;
  /** Responses by bucket; the last bucket has no upper bound. */
  readonly buckets: Float64Array;
  sumMs: number;
  readonly failures: Map<ErrorCode, number>;
}

/**
 * Registers `http_requests_total` (route group, operation, status), `http_failures_total` (route group, operation,
 * code) and `http_request_duration_seconds` (route group, operation). Requests only add to arrays; labels and
 * exposition are built on scrape.
 */
export function createHttpMetrics(registry: Registry): HttpMetrics {
  const tallies: Tally[] = [];
  readCounter(registry, {
    name: 'http_requests_total',
    help: 'HTTP responses by route group, operation and status code.',
    labels: ['route_group', 'operation', 'status'],
    read: () =>
      tallies.flatMap(({ route_group, operation, statuses }) =>
        [...statuses]
          .map((count, status) => [{ route_group, operation, status: String(status) }, count] as const)
          .filter(([, count]) => count > 0),
      ),
  });
  registerDurations(registry, tallies);
  readCounter(registry, {
    name: 'http_failures_total',
    help: 'Failed requests by route group, operation and error code.',
    labels: ['route_group', 'operation', 'code'],
    read: () =>
      tallies.flatMap(({ route_group, operation, failures }) =>
        [...failures].map(([code, count]) => [{ route_group, operation, code }, count] as const),
      ),
  });
  return {
    operation: (route_group, operation) => {
      const known = tallies.find(
        (tally) => tally.route_group === route_group && tally.operation === operation,
      );
      const tally = known ?? emptyTally(route_group, operation);
      if (known === undefined) tallies.push(tally);
      return {
        record: (status, durationMs, failure) => {
          add(tally, status, durationMs);
          if (failure !== undefined) tally.failures.set(failure, (tally.failures.get(failure) ?? 0) + 1);
        },
      };
    },
  };
}

function emptyTally(route_group: string, operation: string): Tally {
  return {
    route_group,
    operation,
    statuses: new Float64Array(STATUS_COUNT),
    buckets: new Float64Array(BUCKETS_MS.length + 1),
    sumMs: 0,
    failures: new Map(),
  };
}

function add(tally: Tally, status: number, durationMs: number): void {
  let bucket = 0;
  while (bucket < BUCKETS_MS.length && durationMs > (BUCKETS_MS[bucket] ?? 0)) bucket += 1;
  tally.buckets[bucket] = (tally.buckets[bucket] ?? 0) + 1;
  tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
  tally.sumMs += durationMs;
}

function registerDurations(registry: Registry, tallies: readonly Tally[]): void {
  const name = 'http_request_duration_seconds';
  const help =
    'Time from request headers received to response headers sent, in seconds, by route group and operation.';
  const histogram = new Histogram({
    name,
    help,
    labelNames: ['route_group', 'operation'] as const,
    buckets: [...BUCKETS_SECONDS],
    registers: [],
  });
  // The histogram only provides name and type. Its numbers are kept in the tallies above, which is cheaper.
  const get = async () => ({ name, help, type: 'histogram', values: tallies.flatMap(durationSamples) });
  registry.registerMetric(Object.assign(histogram, { get, getForPromString: get }));
}

interface Sample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

function durationSamples({ route_group, operation, buckets, sumMs }: Tally): Sample[] {
  const name = 'http_request_duration_seconds';
  const labels = { route_group, operation };
  let count = 0;
  const samples: Sample[] = [];
  buckets.forEach((inBucket, index) => {
    count += inBucket;
    const le = BUCKETS_SECONDS[index] ?? '+Inf';
    samples.push({ metricName: `${name}_bucket`, labels: { ...labels, le }, value: count });
  });
  if (count === 0) return [];
  samples.push({ metricName: `${name}_sum`, labels, value: sumMs / 1000 });
  samples.push({ metricName: `${name}_count`, labels, value: count });
  return samples;
}
