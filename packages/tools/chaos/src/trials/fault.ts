import type { Closers } from '@vestibule/local-services';
import type { Cluster, ClusterOptions } from '../test-environment/cluster.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';

/** What has to hold while something fails, besides that no response is wrong. */
export interface Limits {
  /** How long a revoked token may be active where it was not revoked. */
  readonly staleMs: number;
  /** The same for all but a hundredth of revocations. */
  readonly p99StaleMs?: number;
  /** The longest that a question may take. */
  readonly slowestMs: number;
  /** Whether questions may fail at all. */
  readonly failures: 'none' | 'some';
  /** How soon everything works when nothing fails any more. */
  readonly recoveryMs: number;
}

/** Something that fails. */
export interface Fault {
  readonly id: string;
  readonly title: string;
  readonly seconds: number;
  readonly limits: Limits;
  /** How many tokens live at a time in a full run, where it is not the usual number. */
  readonly fullTokens?: number;
  /** The most revocations under way, where instances can answer for fewer than usual. */
  readonly revocationsAtOnce?: number;
  /** Makes what the instances need besides the stage, before they are started. */
  prepare?(testEnvironment: TestEnvironment, toEnd: Closers): Promise<ClusterOptions>;
  /** Begins it, and gives what ends it. */
  begin(cluster: Cluster): Promise<() => Promise<unknown>>;
  /** What else has to be so in the end; sentences that are not so. */
  problems?(cluster: Cluster): Promise<readonly string[]>;
}

/** Nothing fails. */
export const HEALTHY: Limits = {
  staleMs: 1_000,
  p99StaleMs: 250,
  slowestMs: 1_000,
  failures: 'none',
  recoveryMs: 1_000,
};

/** Redis, an instance or the announcements fail: no question does. */
export const UNNOTICED: Limits = { staleMs: 5_000, slowestMs: 1_000, failures: 'none', recoveryMs: 2_000 };

/** PostgreSQL fails: questions may, in good time. */
export const DEGRADED: Limits = { staleMs: 5_000, slowestMs: 2_500, failures: 'some', recoveryMs: 2_000 };
