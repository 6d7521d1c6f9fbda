import { knownRegistrationToken, type ManagedClient } from './authorize-management.js';
import { type ClientAnswer, clientAnswer } from './client-answer.js';
import { revealCredentials } from './client-information.js';
import type { RegistrationDeps } from './registration-deps.js';

/**
 * The answer about a client that shows what reading it would show to whoever manages it.
 * @param secret its secret in clear, where that is known already
 */
export async function managedAnswer(
  deps: Pick<RegistrationDeps, 'sealer' | 'digester' | 'settings'>,
  managed: ManagedClient,
  secret?: string,
): Promise<ClientAnswer> {
  const { client } = managed;
  const known = { registrationToken: knownRegistrationToken(managed), secret };
  return clientAnswer(deps, client, await revealCredentials(deps.sealer, client, known));
}
