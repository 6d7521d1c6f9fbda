import type { Closers } from '@vestibule/local-services';
import type { Cluster, ClusterOptions } from '../test-environment/cluster.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';

/** Limits during a fault, besides correct responses. */
export interface Limits {
  /** How long a revoked token may be active on the other instances. */
  readonly staleMs: number;
  /** The same for 99 % of revocations. */
  readonly p99StaleMs?: number;
  /** The longest duration of a request. */
  readonly slowestMs: number;
  /** Whether requests may fail. */
  readonly failures: 'none' | 'some';
  /** The longest time to recovery after the fault. */
  readonly recoveryMs: number;
}

/** Something that fails. */
export interface Fault {
  readonly id: string;
  readonly title: string;
  readonly seconds: number;
  readonly limits: Limits;
  /** The number of live tokens in a full run, if not the usual one. */
  readonly fullTokens?: number;
  /** The most revocations in progress, if instances can watch fewer than usual. */
  readonly revocationsAtOnce?: number;
  /** Prepares what the instances need besides the test environment, before they start. */
  prepare?(testEnvironment: TestEnvironment, toEnd: Closers): Promise<ClusterOptions>;
  /** Starts the fault. @returns what ends it */
  begin(cluster: Cluster): Promise<() => Promise<unknown>>;
  /** Checks further conditions at the end. @returns problems as sentences */
  problems?(cluster: Cluster): Promise<readonly string[]>;
}

/** No fault. */
export const HEALTHY: Limits = {
  staleMs: 1_000,
  p99StaleMs: 250,
  slowestMs: 1_000,
  failures: 'none',
  recoveryMs: 1_000,
};

/** Redis, an instance or invalidation events fail: no request does. */
export const UNNOTICED: Limits = { staleMs: 5_000, slowestMs: 1_000, failures: 'none', recoveryMs: 2_000 };

/** PostgreSQL fails: requests may fail, in time. */
export const DEGRADED: Limits = { staleMs: 5_000, slowestMs: 2_500, failures: 'some', recoveryMs: 2_000 };
