import { setTimeout as pause } from 'node:timers/promises';
import type { House, Instance } from '../stage/house.js';
import { isAnswer } from './history.js';
import type { Work } from './work.js';

/** Asks about tokens without an end, and tells of each question that nobody could answer. */
export async function readTokens(
  { house, history, pool, pace, isOver }: Work,
  onFailure: () => void,
): Promise<void> {
  while (!isOver()) {
    const token = pool.pick();
    const [first, second] = inRandomOrder(house.instances);
    if (token !== undefined && !isAnswer(await history.ask(first, token))) {
      // As a balancer or a client does, which tries another instance once.
      if (!isAnswer(await history.ask(second, token))) onFailure();
    }
    await pause(pace.readMs * (0.5 + Math.random()));
  }
}

function inRandomOrder([one, other]: House['instances']): readonly [Instance, Instance] {
  return Math.random() < 0.5 ? [one, other] : [other, one];
}
