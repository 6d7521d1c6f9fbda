import { requireEveryKey } from '@vestibule/crypto';
import { DomainError } from '@vestibule/protocol';
import type { ManagedClient } from './authorize-management.js';
import { type ClientResponse, type EntityTagCondition, matchesEntityTag } from './client-response.js';
import { managedResponse } from './managed-response.js';
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
 * @throws KeyEncryptionError when no tag is that of the client, and one may be under a key for digests that cannot be
 *   opened
 */
export async function requireMatch(
  deps: RegistrationDeps,
  managed: ManagedClient,
  conditions: ClientConditions,
): Promise<void> {
  if (conditions.ifMatch === undefined && conditions.ifNoneMatch === undefined) return;
  requireTags(deps, await managedResponse(deps, managed), conditions);
}

/**
 * Checks the conditions on a response that has been made.
 * @throws DomainError `precondition_failed`
 * @throws KeyEncryptionError when no tag is that of the client, and one may be under a key for digests that cannot be
 *   opened
 */
export function requireTags(
  { digester }: Pick<RegistrationDeps, 'digester'>,
  response: ClientResponse,
  { ifMatch, ifNoneMatch }: ClientConditions,
): void {
  const isNamed = (condition: EntityTagCondition) => {
    const isMatch = matchesEntityTag(digester, response, condition);
    requireEveryKey(isMatch || digester.hasEveryKey());
    return isMatch;
  };
  if (ifMatch !== undefined && !isNamed(ifMatch))
    throw new DomainError('precondition_failed', 'The client has changed.');
  if (ifNoneMatch !== undefined && isNamed(ifNoneMatch))
    throw new DomainError('precondition_failed', 'The client is as it must not be.');
}
