import { DomainError } from '@vestibule/protocol';
import { knownRegistrationToken, type ManagedClient } from './authorize-management.js';
import { clientAnswer, type EntityTagCondition, matchesEntityTag } from './client-answer.js';
import { revealCredentials } from './client-information.js';
import type { RegistrationDeps } from './registration-deps.js';

/**
 * Checks that the client is still what the caller has read (RFC 9110 section 13.1.1).
 * @throws DomainError `precondition_failed`
 */
export async function requireMatch(
  deps: RegistrationDeps,
  managed: ManagedClient,
  condition: EntityTagCondition | undefined,
): Promise<void> {
  if (condition === undefined) return;
  const { client } = managed;
  const known = { registrationToken: knownRegistrationToken(managed) };
  const revealed = await revealCredentials(deps.sealer, client, known);
  if (!matchesEntityTag(deps.digester, clientAnswer(deps, client, revealed), condition))
    throw new DomainError('precondition_failed', 'The client has changed.');
}
