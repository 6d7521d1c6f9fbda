import { type SimulatedHouse, simulatedHouse, turnsPass } from './simulated-house.js';

/** A house whose feeds have proven themselves just now, with a live token `t`. */
export function aHouse(deviation: Parameters<typeof simulatedHouse>[0] = { withoutShared: true }) {
  const house = simulatedHouse(deviation);
  house.issue('t');
  prove(house);
  return house;
}

/** Lets every feed prove itself now. */
export function prove({ instances }: SimulatedHouse) {
  for (const { feed } of instances) {
    feed.beat();
    feed.deliver(feed.waiting);
  }
}

/** Asks, and lets everything answer. */
export async function asked(house: SimulatedHouse, instance: SimulatedHouse['a'], token = 't') {
  const answer = house.ask(instance, token);
  await turnsPass();
  for (let round = 0; round < 5; round += 1) {
    for (const { shared, store } of house.instances) {
      shared?.step(shared.waiting, 'done');
      while (store.waiting > 0) store.end('late');
    }
    await turnsPass();
  }
  return answer;
}

/** Asks one instance, and lets nothing but its own commands and reads go on. */
export async function askedAlone(house: SimulatedHouse, instance: SimulatedHouse['a'], token = 't') {
  const answer = house.ask(instance, token);
  for (let round = 0; round < 5; round += 1) {
    await turnsPass();
    instance.shared?.step(instance.shared.waiting, 'done');
    while (instance.store.waiting > 0) instance.store.end('late');
  }
  return answer;
}
