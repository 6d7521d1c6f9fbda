import { knownRegistrationToken, type ManagedClient } from './authorize-management.js';
import { revealCredentials } from './client-information.js';
import { type ClientResponse, clientResponse } from './client-response.js';
import type { RegistrationDeps } from './registration-deps.js';

/**
 * The response about a client that shows what reading it would show to whoever manages it.
 * @param secret its secret in clear, where that is known already
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
