import { createMasterToken } from '@vestibule/clients';
import { secureRandom } from '@vestibule/crypto';
import type { Store } from '@vestibule/database';
import { defaultSupportedMetadata } from '@vestibule/metadata';
import { type Clock, systemClock } from '@vestibule/protocol';
import type { AuthorizationConfig } from './config.js';
import type { AuthorizationServiceDeps } from './deps.js';

/** The server's dependencies over a store, as its settings want them. @param clock the machine's own unless given */
export function composeAuthorization(
  config: AuthorizationConfig,
  store: Store,
  clock: Clock = systemClock,
): AuthorizationServiceDeps {
  const { database, sealer, digester, providerKeys, clientUses } = store;
  return {
    clock,
    issuer: config.BASE_URL,
    random: secureRandom,
    digester,
    sealer,
    keys: providerKeys,
    publicKeys: providerKeys.publicJwks,
    masterToken: createMasterToken(config.MASTER_TOKEN_SHA256),
    clients: database.clients,
    accessTokens: database.accessTokens,
    clientUses,
    // Nobody gets here without the master token.
    ...database.actingAs({ actor: 'master', clock }),
    algorithm: config.ACCESS_TOKEN_SIGNING_ALG,
    tokenLength: config.ACCESS_TOKEN_LENGTH,
    settings: {
      accessTokenLifetimeSeconds: config.ACCESS_TOKEN_LIFETIME_SECONDS,
      idTokenLifetimeSeconds: config.ID_TOKEN_LIFETIME_SECONDS,
      initialAccessTokenLifetimeSeconds: config.INITIAL_ACCESS_TOKEN_LIFETIME_SECONDS,
    },
    supported: defaultSupportedMetadata({
      grantTypes: config.REGISTRABLE_GRANT_TYPES,
      signingAlgorithms: config.SIGNING_ALGORITHMS,
    }),
  };
}
