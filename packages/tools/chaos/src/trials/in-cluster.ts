import { type Closers, closing } from '@vestibule/local-services';
import { type Cluster, type ClusterOptions, openCluster } from '../test-environment/cluster.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';

/** What a trial needs and does. */
export interface ClusterTrial<Result> {
  /** Prepares what the instances need besides the test environment, before they start. */
  readonly prepare?: (testEnvironment: TestEnvironment, toEnd: Closers) => Promise<ClusterOptions>;
  readonly run: (cluster: Cluster) => Promise<Result>;
}

/** Runs a trial with two fresh instances and an empty Redis, and ends them. */
export async function inCluster<Result>(
  testEnvironment: TestEnvironment,
  { prepare, run }: ClusterTrial<Result>,
): Promise<Result> {
  return closing(async (toEnd) => {
    await testEnvironment.redis.admin.flushall();
    const cluster = await openCluster(testEnvironment, await prepare?.(testEnvironment, toEnd));
    toEnd.add(cluster.close);
    return await run(cluster);
  });
}
