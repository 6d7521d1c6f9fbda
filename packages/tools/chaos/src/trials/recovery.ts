import { randomBytes } from 'node:crypto';
import type { Cluster, Instance } from '../test-environment/cluster.js';
import { until } from '../until.js';

const SOON_MS = 500;

/** Waits until every instance is ready and reads its stores. @returns the time it took, in milliseconds */
export async function untilRecovered({ instances }: Pick<Cluster, 'instances'>): Promise<number> {
  const begun = performance.now();
  await Promise.all(instances.map((instance) => until(() => hasRecovered(instance))));
  return performance.now() - begun;
}

async function hasRecovered({ service, caller }: Instance): Promise<boolean> {
  const begun = performance.now();
  // An unknown token can only be looked up in the store.
  const token = randomBytes(32).toString('hex').slice(0, 43);
  const { status } = await caller.post('/token/introspect', { token });
  return status === 200 && performance.now() - begun < SOON_MS && (await service.isReady());
}
