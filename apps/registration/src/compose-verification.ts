import { importedSecrets } from '@vestibule/client-auth';
import { createRemoteKeySets } from '@vestibule/crypto/public-keys';
import type { Store } from '@vestibule/database';
import { type Egress, keySetFetcher } from '@vestibule/egress';
import type { Clock } from '@vestibule/protocol';
import { nodeScheduler } from '@vestibule/protocol/runtime';
import { openFailedAuthenticationThrottle } from '@vestibule/service';
import type { RegistrationConfig } from './config.js';
import type { RefusedCredential, VerificationDeps } from './verify-credential.js';

/** Shared parts of the service. */
export interface VerificationParts {
  readonly clock: Clock;
  readonly egress: Egress;
  readonly onRefusedCredential?: ((refused: RefusedCredential) => void) | undefined;
}

/** Verifying the hash of an imported secret gets a 429 after this time. */
const SECRET_HASH_DEADLINE_MS = 5_000;

/** Composes the dependencies of verifying client credentials. */
export function composeVerification(
  config: RegistrationConfig,
  { database, digester, encryptor, clientUses }: Store,
  { clock, egress, onRefusedCredential }: VerificationParts,
): VerificationDeps {
  const { clients, replays } = database;
  const failedAuthentications = openFailedAuthenticationThrottle(
    config.RATE_LIMITS_ENABLED,
    config.FAILED_AUTHENTICATIONS_PER_MINUTE,
  );
  return {
    clock,
    issuer: config.BASE_URL,
    digester,
    clients,
    blocks: database.clientBlocks,
    secretOverlapSeconds: config.CLIENT_SECRET_OVERLAP_SECONDS,
    importedSecrets: importedSecrets({
      clients,
      digester,
      encryptor,
      clock,
      deadline: { limitMs: SECRET_HASH_DEADLINE_MS, scheduler: nodeScheduler },
    }),
    assertions: { encryptor, replays, maxLifetimeSeconds: config.ASSERTION_MAX_LIFETIME_SECONDS },
    assertionAudience: config.ASSERTION_AUDIENCE,
    remoteKeySets: createRemoteKeySets({ fetch: keySetFetcher(egress), clock }),
    clientUses,
    ...(failedAuthentications && { failedAuthentications }),
    ...(onRefusedCredential && { onRefused: onRefusedCredential }),
  };
}
