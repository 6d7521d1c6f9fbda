import { createRemoteKeySets } from '@vestibule/crypto';
import type { Store } from '@vestibule/database';
import { createEgress, type Egress, keySetFetcher } from '@vestibule/egress';
import { systemClock } from '@vestibule/protocol';
import type { IntrospectionConfig } from './config.js';
import type { IntrospectionServiceDeps } from './deps.js';
import type { IntrospectionCache } from './introspection-cache.js';

/**
 * The service's dependencies over a store, as its settings want them; without a cache every request asks the store.
 * @param egress the way out of the process; one of its own, with the hosts of the settings, unless given
 */
export function composeIntrospection(
  config: IntrospectionConfig,
  store: Pick<Store, 'database' | 'digester' | 'sealer' | 'providerKeys'> &
    Partial<Pick<Store, 'clientUses' | 'clock'>>,
  cache?: Pick<IntrospectionCache, 'states' | 'watch'>,
  egress: Pick<Egress, 'fetchDocument'> = createEgress({
    allowHosts: config.EGRESS_ALLOW_HOSTS,
    clock: systemClock,
  }),
): IntrospectionServiceDeps {
  const { database, digester, sealer, providerKeys, clientUses, clock = systemClock } = store;
  return {
    clock,
    issuer: config.BASE_URL,
    digester,
    sealer,
    keys: providerKeys,
    clients: database.clients,
    accessTokens: database.accessTokens,
    revocations: database.revocations,
    ...(clientUses && { clientUses }),
    algorithm: config.ACCESS_TOKEN_SIGNING_ALG,
    answerType: config.INTROSPECTION_JWT_TYPE,
    ...(config.INTROSPECTION_FORMAT !== 'negotiated' && { format: config.INTROSPECTION_FORMAT }),
    remoteKeySets: createRemoteKeySets({ fetch: keySetFetcher(egress), clock: systemClock }),
    pruneAudience: config.INTROSPECTION_PRUNE_AUDIENCE,
    secretOverlapSeconds: config.CLIENT_SECRET_OVERLAP_SECONDS,
    ...(cache && { states: cache.states, watch: cache.watch }),
  };
}
