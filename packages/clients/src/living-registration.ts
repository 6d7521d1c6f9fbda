import { nowSeconds } from '@vestibule/protocol';
import { isClientExpired } from './authorize-management.js';
import type { Client } from './client.js';
import type { RegistrationDeps } from './registration-deps.js';

/**
 * The registration of an entity that has not ended. One that has is deleted with everything that was issued under it,
 * so that the entity can register anew.
 */
export async function livingRegistration(
  { clients, clock }: Pick<RegistrationDeps, 'clients' | 'clock'>,
  entityId: string,
): Promise<Client | undefined> {
  const client = await clients.findByEntity(entityId);
  if (client === undefined) return undefined;
  const now = nowSeconds(clock);
  if (!isClientExpired(client, now)) return client;
  const { version: ifVersion } = client;
  await clients.delete(client.id, now, { action: 'client.expired', ifVersion });
  return undefined;
}
