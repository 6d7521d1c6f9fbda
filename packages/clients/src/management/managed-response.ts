import { revealCredentials } from '../client-information.js';
import { type ClientResponse, clientResponse } from '../client-response.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import { knownRegistrationToken, type ManagedClient } from './authorize-management.js';

/**
 * Builds the response that a read of the client would show to the same caller.
 * @param secret the plain-text secret, if it is known already
 */
export async function managedResponse(
  deps: Pick<RegistrationDeps, 'encryptor' | 'digester' | 'settings'>,
  managed: ManagedClient,
  secret?: string,
): Promise<ClientResponse> {
  const { client } = managed;
  const known = { registrationToken: knownRegistrationToken(managed), secret };
  return clientResponse(deps, client, await revealCredentials(deps.encryptor, client, known));
}
