import type { ClientRepository } from '@vestibule/clients';
import type { Digester } from '@vestibule/crypto/data-keys';
import type { RemoteKeySets } from '@vestibule/crypto/public-keys';
import type { Clock } from '@vestibule/protocol';
import type { ClientAssertionDeps } from './assertions/client-assertion-deps.js';
import type { ClientSource } from './cache/client-reading.js';
import type { ImportedSecrets } from './imported-secrets/imported-secrets.js';

/** Dependencies of client authentication. */
export interface ClientAuthDeps extends ClientSource {
  readonly clock: Clock;
  readonly digester: Digester;
  readonly clients: Pick<ClientRepository, 'find' | 'previousSecrets'>;
  /** How long a replaced secret still authenticates, in seconds. With 0, previous secrets are not looked up. */
  readonly secretOverlapSeconds: number;
  /** Without it, clients cannot use secrets that were imported as a hash. */
  readonly importedSecrets?: ImportedSecrets;
  /** Without it, client assertions are refused. */
  readonly assertions?: ClientAssertionDeps;
  /** Without it, clients with keys at a `jwks_uri` cannot authenticate with them. */
  readonly remoteKeySets?: RemoteKeySets;
}
