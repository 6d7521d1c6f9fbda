import { randomAlphanumeric } from '@vestibule/crypto';
import type { ClientId } from '@vestibule/protocol';
import { registrationTokenAssociatedData } from '../associated-data.js';
import type { RegistrationToken } from '../client.js';
import type { Provisioned } from './provision-secret.js';
import type { RegistrationDeps } from './registration-deps.js';

/** Generates a registration access token (registration/API.md#client-information), without a previous one. */
export async function provisionRegistrationToken(
  { random, digester, encryptor, settings }: RegistrationDeps,
  id: ClientId,
): Promise<Provisioned<RegistrationToken>> {
  const value = randomAlphanumeric(settings.registrationTokenLength, random);
  return {
    value,
    stored: {
      digest: digester.digest('registration-access-token', value),
      encrypted: await encryptor.encrypt(value, registrationTokenAssociatedData(id)),
    },
  };
}
