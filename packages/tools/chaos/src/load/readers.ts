import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster, Instance } from '../test-environment/cluster.js';
import { type Checker, isResponse } from './history.js';
import type { Work } from './work.js';

/** Has tokens checked by instances and APIs until stopped, and reports each request that got no response. */
export async function readTokens(work: Work, onFailure: () => void): Promise<void> {
  const { cluster, pace, isOver } = work;
  while (!isOver()) {
    // Retries once on the other instance, as a load balancer or a client does.
    await readOne(work, [inRandomOrder(cluster.instances)], onFailure);
    const twice = cluster.apis.map((api) => [api, api] as const);
    await readOne(work, twice, onFailure);
    await pause(pace.readMs * (0.5 + Math.random()));
  }
}

/** Has one token checked by the first of each pair, or by the second if the first has no response. */
async function readOne(
  { history, pool }: Work,
  pairs: readonly (readonly [Checker, Checker])[],
  onFailure: () => void,
): Promise<void> {
  const token = pool.pick();
  if (token === undefined) return;
  for (const [first, second] of pairs) {
    if (isResponse(await history.introspect(first, token))) continue;
    if (!isResponse(await history.introspect(second, token))) onFailure();
  }
}

function inRandomOrder([one, other]: Cluster['instances']): readonly [Instance, Instance] {
  return Math.random() < 0.5 ? [one, other] : [other, one];
}
