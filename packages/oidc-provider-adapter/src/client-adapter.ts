import { isClientExpired } from '@vestibule/clients';
import { nowSeconds, parseClientId } from '@vestibule/protocol';
import type { Adapter } from 'oidc-provider';
import type { AdapterOptions } from './adapter-options.js';
import { clientView } from './client-view.js';
import { unusedOperations } from './unused-operations.js';

/**
 * The registered clients, as they are now: one that is registered, changed or deleted elsewhere is so for the next
 * request. One that waits for approval or whose registration has ended is unknown. The library registers none itself.
 */
export function clientAdapter(model: string, options: AdapterOptions): Adapter {
  const { clients, clock, sealer, performed } = options;
  return {
    ...unusedOperations(model),
    find: async (id) => {
      const clientId = parseClientId(id);
      const client = clientId && (await clients.find(clientId));
      if (client === undefined || client.status !== 'active') return undefined;
      return isClientExpired(client, nowSeconds(clock)) ? undefined : clientView(client, sealer, performed);
    },
  };
}
