import type { Store } from '@vestibule/database';
import { systemClock } from '@vestibule/protocol';
import type { IntrospectionConfig } from './config.js';
import type { IntrospectionServiceDeps } from './deps.js';

/** The service's dependencies over a store, as its settings want them. */
export function composeIntrospection(config: IntrospectionConfig, store: Store): IntrospectionServiceDeps {
  const { database, digester, providerKeys } = store;
  return {
    clock: systemClock,
    issuer: config.BASE_URL,
    digester,
    keys: providerKeys,
    clients: database.clients,
    accessTokens: database.accessTokens,
    revocations: database.revocations,
    pruneAudience: config.INTROSPECTION_PRUNE_AUDIENCE,
    secretOverlapSeconds: config.CLIENT_SECRET_OVERLAP_SECONDS,
  };
}
