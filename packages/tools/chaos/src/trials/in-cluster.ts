import { type Closers, closing } from '@vestibule/local-services';
import { type Cluster, type ClusterOptions, openCluster } from '../test-environment/cluster.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';

/** What a trial has at its disposal. */
export interface ClusterTrial<Result> {
  /** Makes what the instances need besides the stage, before they are started. */
  readonly prepare?: (testEnvironment: TestEnvironment, toEnd: Closers) => Promise<ClusterOptions>;
  readonly run: (cluster: Cluster) => Promise<Result>;
}

/** Runs something with two fresh instances and an empty Redis, and ends them. */
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
