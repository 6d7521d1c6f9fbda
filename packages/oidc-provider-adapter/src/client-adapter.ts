import { findActiveClient } from '@vestibule/clients';
import type { Adapter } from './adapter.js';
import type { AdapterOptions } from './adapter-options.js';
import { clientView } from './client-view.js';
import { secretInUse } from './secret-in-use.js';
import { unusedOperations } from './unused-operations.js';

/**
 * The registered clients, as they are now: a registration, change or deletion takes effect with the next request. A
 * client that is pending or has expired is unknown. The library itself registers none.
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
