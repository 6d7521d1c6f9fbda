import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster, Instance } from '../test-environment/cluster.js';
import { isResponse } from './history.js';
import type { Work } from './work.js';

/** Introspects tokens until stopped, and reports each request that got no response. */
export async function readTokens(
  { cluster, history, pool, pace, isOver }: Work,
  onFailure: () => void,
): Promise<void> {
  while (!isOver()) {
    const token = pool.pick();
    const [first, second] = inRandomOrder(cluster.instances);
    if (token !== undefined && !isResponse(await history.introspect(first, token))) {
      // Retries once on the other instance, as a load balancer or a client does.
      if (!isResponse(await history.introspect(second, token))) onFailure();
    }
    const known = pool.pick();
    if (known !== undefined && !isResponse(await history.introspect(cluster.api, known))) {
      if (!isResponse(await history.introspect(cluster.api, known))) onFailure();
    }
    await pause(pace.readMs * (0.5 + Math.random()));
  }
}

function inRandomOrder([one, other]: Cluster['instances']): readonly [Instance, Instance] {
  return Math.random() < 0.5 ? [one, other] : [other, one];
}
