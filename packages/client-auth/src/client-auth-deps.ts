import type { ClientRepository } from '@vestibule/clients';
import type { Digester } from '@vestibule/crypto';
import type { Clock } from '@vestibule/protocol';

/** What authenticating a client takes. */
export interface ClientAuthDeps {
  readonly clock: Clock;
  readonly digester: Digester;
  readonly clients: Pick<ClientRepository, 'find' | 'earlierSecrets'>;
  /** How long a replaced secret may go on authenticating, in seconds; with 0 earlier secrets are not even looked up. */
  readonly secretOverlapSeconds: number;
}
