import { findActiveClient } from '@vestibule/clients';
import type { Adapter } from './adapter.js';
import type { AdapterOptions } from './adapter-options.js';
import { clientView } from './client-view.js';
import { secretInUse } from './secret-in-use.js';
import { unusedOperations } from './unused-operations.js';

/**
 * The registered clients, as they are now: one that is registered, changed or deleted elsewhere is so for the next
 * request. One that waits for approval or whose registration has ended is unknown. The library registers none itself.
 */
export function clientAdapter(model: string, options: AdapterOptions): Adapter {
  const { encryptor, performed } = options;
  return {
    ...unusedOperations(model),
    find: async (id) => {
      const client = await findActiveClient(options, id);
      return client && clientView(client, encryptor, performed, await secretInUse(options, client));
    },
  };
}
