import type { Adapter } from './adapter.js';

/** All operations of the adapter interface, failing: for those that the library never calls for a model. */
export function unusedOperations(model: string): Adapter {
  const refuse = (operation: string) => async (): Promise<never> => {
    throw new TypeError(`${model} has no ${operation}`);
  };
  return {
    upsert: refuse('upsert'),
    find: refuse('find'),
    findByUid: refuse('findByUid'),
    findByUserCode: refuse('findByUserCode'),
    consume: refuse('consume'),
    destroy: refuse('destroy'),
    revokeByGrantId: refuse('revokeByGrantId'),
  };
}
