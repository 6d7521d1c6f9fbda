import { type SimulatedCluster, simulatedCluster, turnsPass } from './simulated-cluster.js';

/** Creates a cluster whose invalidation streams have a current watermark, with a live token `t`. */
export function aCluster(deviation: Parameters<typeof simulatedCluster>[0] = { withoutShared: true }) {
  const cluster = simulatedCluster(deviation);
  cluster.issue('t');
  advanceWatermarks(cluster);
  return cluster;
}

/** Advances the watermark of every invalidation stream to now. */
export function advanceWatermarks({ instances }: SimulatedCluster) {
  for (const { stream } of instances) {
    stream.beat();
    stream.deliver(stream.waiting);
  }
}

/** Introspects a token, and completes all pending work. */
export async function introspectAndSettle(
  cluster: SimulatedCluster,
  instance: SimulatedCluster['a'],
  token = 't',
) {
  const response = cluster.introspect(instance, token);
  await turnsPass();
  for (let round = 0; round < 5; round += 1) {
    for (const { shared, store } of cluster.instances) {
      shared?.step(shared.waiting, 'done');
      while (store.waiting > 0) store.end('late');
    }
    await turnsPass();
  }
  return response;
}

/** Introspects a token on one instance, and completes only its own commands and reads. */
export async function introspectAlone(
  cluster: SimulatedCluster,
  instance: SimulatedCluster['a'],
  token = 't',
) {
  const response = cluster.introspect(instance, token);
  for (let round = 0; round < 5; round += 1) {
    await turnsPass();
    instance.shared?.step(instance.shared.waiting, 'done');
    while (instance.store.waiting > 0) instance.store.end('late');
  }
  return response;
}
