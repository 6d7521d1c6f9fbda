import type { Adapter } from './adapter.js';

/** The operations of the library's interface, each of which fails: for those that its models never call. */
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
