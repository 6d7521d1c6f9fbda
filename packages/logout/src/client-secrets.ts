import type { Client, ClientRepository } from '@vestibule/clients';
import { previousSecretAssociatedData, secretAssociatedData } from '@vestibule/clients/associated-data';
import type { Encryptor } from '@vestibule/crypto/data-keys';
import { type Clock, nowSeconds } from '@vestibule/protocol';

/** Dependencies of {@link clientSecrets}. */
export interface ClientSecretDeps {
  readonly clock: Clock;
  readonly clients: Pick<ClientRepository, 'previousSecrets'>;
  readonly encryptor: Pick<Encryptor, 'open'>;
}

/**
 * The current secret of a client and the previous ones that ID tokens may still need, in clear, newest first. They only
 * decrypt and verify hints; none of them authenticates a client here.
 */
export async function clientSecrets(
  { clients, encryptor, clock }: ClientSecretDeps,
  { id, secret }: Client,
): Promise<readonly string[]> {
  const present = secret === undefined ? [] : [encryptor.open(secret.encrypted, secretAssociatedData(id))];
  const previous = await clients.previousSecrets(id, nowSeconds(clock));
  return Promise.all([
    ...present,
    ...previous.map(({ encrypted }) => encryptor.open(encrypted, previousSecretAssociatedData(id))),
  ]);
}
