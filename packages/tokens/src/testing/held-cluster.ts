import { type SimulatedCluster, simulatedCluster, turnsPass } from './simulated-cluster.js';

/** A house whose feeds have proven themselves just now, with a live token `t`. */
export function aCluster(deviation: Parameters<typeof simulatedCluster>[0] = { withoutShared: true }) {
  const cluster = simulatedCluster(deviation);
  cluster.issue('t');
  prove(cluster);
  return cluster;
}

/** Lets every invalidation stream prove itself now. */
export function prove({ instances }: SimulatedCluster) {
  for (const { stream } of instances) {
    stream.beat();
    stream.deliver(stream.waiting);
  }
}

/** Asks, and lets everything answer. */
export async function asked(cluster: SimulatedCluster, instance: SimulatedCluster['a'], token = 't') {
  const response = cluster.ask(instance, token);
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

/** Asks one instance, and lets nothing but its own commands and reads go on. */
export async function askedAlone(cluster: SimulatedCluster, instance: SimulatedCluster['a'], token = 't') {
  const response = cluster.ask(instance, token);
  for (let round = 0; round < 5; round += 1) {
    await turnsPass();
    instance.shared?.step(instance.shared.waiting, 'done');
    while (instance.store.waiting > 0) instance.store.end('late');
  }
  return response;
}
