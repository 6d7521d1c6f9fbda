import type { ConnectionChoice } from '../network/chaos-proxy.js';
import type { Traffic } from '../network/traffic.js';
import type { Cluster } from '../test-environment/cluster.js';

/** Applies traffic rules to the connections of both instances to one of their stores. */
export async function disturb(
  { instances }: Cluster,
  store: 'postgres' | 'redis',
  { traffic, choice }: { readonly traffic: Traffic; readonly choice?: ConnectionChoice },
): Promise<() => Promise<void>> {
  for (const instance of instances) instance[store].set(traffic, choice);
  return async () => {
    for (const instance of instances) instance[store].pass();
  };
}
