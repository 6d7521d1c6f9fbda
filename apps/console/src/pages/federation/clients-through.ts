import type { EntityId } from '@vestibule/federation';
import type { ConsoleDeps } from '../../deps.js';
import { countText } from '../../live/live-figures.js';

/** Clients that are counted before they are deleted; of more, the page says so. */
const MAX_COUNTED = 1_000;

/** The clients that are registered through an entity, which its denial deletes. */
export interface ClientsThrough {
  /** Their identifiers, in order; any of them if there are too many to be counted. */
  readonly ids: readonly string[];
  /** How many there are, in words. */
  readonly text: string;
  /** What the form of the denial carries as the number that the person saw. */
  readonly seen: string;
  /** Whether there are more than the person saw. */
  isMoreThan(seen: number): boolean;
}

/** Finds the clients that are registered through an entity. */
export async function clientsThrough(
  { store }: Pick<ConsoleDeps, 'store'>,
  entityId: EntityId,
): Promise<ClientsThrough> {
  const ids = (await store.database.federation.clientsThrough(entityId, MAX_COUNTED + 1)).toSorted();
  const isTooMany = ids.length > MAX_COUNTED;
  return {
    ids,
    text: isTooMany ? `More than ${countText(MAX_COUNTED)}` : countText(ids.length),
    seen: String(ids.length),
    isMoreThan: (seen) => ids.length > seen,
  };
}

const COUNT = /^\d{1,9}$/;

/**
 * Reads how many clients a person saw. It is unlimited if the page said that there are more than it counts, and none if the
 * form does not say it.
 */
export function readSeen(text = ''): number {
  const count = COUNT.test(text) ? Number(text) : 0;
  return count > MAX_COUNTED ? Number.POSITIVE_INFINITY : count;
}
