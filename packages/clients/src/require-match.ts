import { DomainError } from '@vestibule/protocol';
import { knownRegistrationToken, type ManagedClient } from './authorize-management.js';
import { clientAnswer, type EntityTagCondition, matchesEntityTag } from './client-answer.js';
import { revealCredentials } from './client-information.js';
import type { RegistrationDeps } from './registration-deps.js';

/** What the tag of a client must be for a request to be carried out; an absent condition holds. */
export interface ClientConditions {
  /** The tags of which the client must have one. */
  readonly ifMatch?: EntityTagCondition | undefined;
  /** The tags of which it must have none. */
  readonly ifNoneMatch?: EntityTagCondition | undefined;
}

/**
 * Checks that the client is still what the caller has read (RFC 9110 sections 13.1.1 and 13.1.2).
 * @throws DomainError `precondition_failed`
 */
export async function requireMatch(
  deps: RegistrationDeps,
  managed: ManagedClient,
  { ifMatch, ifNoneMatch }: ClientConditions,
): Promise<void> {
  if (ifMatch === undefined && ifNoneMatch === undefined) return;
  const { client } = managed;
  const known = { registrationToken: knownRegistrationToken(managed) };
  const revealed = await revealCredentials(deps.sealer, client, known);
  const answer = clientAnswer(deps, client, revealed);
  const isNamed = (condition: EntityTagCondition) => matchesEntityTag(deps.digester, answer, condition);
  if (ifMatch !== undefined && !isNamed(ifMatch))
    throw new DomainError('precondition_failed', 'The client has changed.');
  if (ifNoneMatch !== undefined && isNamed(ifNoneMatch))
    throw new DomainError('precondition_failed', 'The client is as it must not be.');
}
