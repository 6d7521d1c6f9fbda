import type { Adapter, AdapterFactory } from '@vestibule/oidc-provider-adapter';
import { parseClientId } from '@vestibule/protocol';
import type { ProviderDeps } from './provider-deps.js';

/** Makes blocked clients unknown to the library at once, while they are deleted in batches. */
export function withoutBlockedClients(
  factory: AdapterFactory,
  { blocks }: Pick<ProviderDeps, 'blocks'>,
): AdapterFactory {
  return (model) => {
    const adapter = factory(model);
    return model === 'Client' ? { ...adapter, find: finder(adapter, blocks) } : adapter;
  };
}

function finder({ find }: Adapter, blocks: ProviderDeps['blocks']): Adapter['find'] {
  return async (id) => {
    const client = await find(id);
    const clientId = client === undefined ? undefined : parseClientId(id);
    return clientId !== undefined && (await blocks.isBlocked(clientId)) ? undefined : client;
  };
}
