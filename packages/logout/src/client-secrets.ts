import {
  type Client,
  type ClientRepository,
  earlierSecretAssociatedData,
  secretAssociatedData,
} from '@vestibule/clients';
import type { Encryptor } from '@vestibule/crypto';
import { type Clock, nowSeconds } from '@vestibule/protocol';

/** What opening the secrets of a client takes. */
export interface ClientSecretDeps {
  readonly clock: Clock;
  readonly clients: Pick<ClientRepository, 'earlierSecrets'>;
  readonly encryptor: Pick<Encryptor, 'open'>;
}

/**
 * The present secret of a client and the earlier ones that ID tokens may still need, in clear and newest first. They
 * open and verify hints; none of them authenticates anyone here.
 */
export async function clientSecrets(
  { clients, encryptor, clock }: ClientSecretDeps,
  { id, secret }: Client,
): Promise<readonly string[]> {
  const present = secret === undefined ? [] : [encryptor.open(secret.encrypted, secretAssociatedData(id))];
  const earlier = await clients.earlierSecrets(id, nowSeconds(clock));
  return Promise.all([
    ...present,
    ...earlier.map(({ encrypted }) => encryptor.open(encrypted, earlierSecretAssociatedData(id))),
  ]);
}
