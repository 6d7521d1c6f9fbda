import type { Store } from '@vestibule/database';
import { systemClock } from '@vestibule/protocol';
import type { IntrospectionConfig } from './config.js';
import type { IntrospectionServiceDeps } from './deps.js';
import type { IntrospectionCache } from './introspection-cache.js';

/** The service's dependencies over a store, as its settings want them; without a cache every request asks the store. */
export function composeIntrospection(
  config: IntrospectionConfig,
  store: Pick<Store, 'database' | 'digester' | 'providerKeys'> & Partial<Pick<Store, 'clientUses'>>,
  cache?: Pick<IntrospectionCache, 'states' | 'watch'>,
): IntrospectionServiceDeps {
  const { database, digester, providerKeys, clientUses } = store;
  return {
    clock: systemClock,
    issuer: config.BASE_URL,
    digester,
    keys: providerKeys,
    clients: database.clients,
    accessTokens: database.accessTokens,
    revocations: database.revocations,
    ...(clientUses && { clientUses }),
    pruneAudience: config.INTROSPECTION_PRUNE_AUDIENCE,
    secretOverlapSeconds: config.CLIENT_SECRET_OVERLAP_SECONDS,
    ...(cache && { states: cache.states, watch: cache.watch }),
  };
}
