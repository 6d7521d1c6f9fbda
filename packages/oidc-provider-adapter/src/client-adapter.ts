import { type Client, findActiveClient, isActiveClient } from '@vestibule/clients';
import type { JsonObject } from '@vestibule/protocol/json';
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
  return {
    ...unusedOperations(model),
    find: async (id) => {
      const client = await findActiveClient(options, id);
      return client && clientProperties(options, client);
    },
  };
}

/**
 * The properties of a client that was found already, as the library gets them from the adapter; `undefined` if the client
 * is pending, suspended or expired.
 */
export async function clientProperties(
  options: AdapterOptions,
  client: Client,
): Promise<JsonObject | undefined> {
  const { clock, encryptor, performed } = options;
  return isActiveClient(client, clock)
    ? clientView(client, encryptor, performed, await secretInUse(options, client))
    : undefined;
}
