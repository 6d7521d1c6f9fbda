import { seededRandom } from '@vestibule/protocol/testing';

/** Reproducible random choices: equal seeds give equal ones. */
export interface RandomChoice {
  /** A whole number from 0 to `limit` - 1; at most 65,535. */
  below(limit: number): number;
  /** Whether something happens that has this probability. */
  chance(percent: number): boolean;
  oneOf<Item>(items: readonly Item[]): Item;
}

/** Creates the choices of a seed. */
export function randomChoice(seed: number): RandomChoice {
  const random = seededRandom(seed);
  const below = (limit: number) => {
    const [high = 0, low = 0] = random.bytes(2);
    return (high * 256 + low) % limit;
  };
  return {
    below,
    chance: (percent) => below(100) < percent,
    oneOf: <Item>(items: readonly Item[]) => items[below(items.length)] as Item,
  };
}
