import type { ClientRepository } from '@vestibule/clients';
import type { Digester, RemoteKeySets } from '@vestibule/crypto';
import type { Clock } from '@vestibule/protocol';
import type { ClientAssertionDeps } from './client-assertion-deps.js';
import type { ClientReader } from './client-reading.js';
import type { ImportedSecrets } from './imported-secrets/imported-secrets.js';

/** What authenticating a client takes. */
export interface ClientAuthDeps {
  readonly clock: Clock;
  readonly digester: Digester;
  readonly clients: Pick<ClientRepository, 'find' | 'earlierSecrets'>;
  /** Reads clients by way of a memory; without it every request reads them from `clients`. */
  readonly clientReader?: ClientReader;
  /** How long a replaced secret may go on authenticating, in seconds; with 0 earlier secrets are not even looked up. */
  readonly secretOverlapSeconds: number;
  /** Without it a client whose secret was imported as a hash cannot use it. */
  readonly importedSecrets?: ImportedSecrets;
  /** Without it no client assertion is accepted. */
  readonly assertions?: ClientAssertionDeps;
  /** Without it clients whose keys are behind a `jwks_uri` cannot authenticate with them. */
  readonly remoteKeySets?: RemoteKeySets;
}
