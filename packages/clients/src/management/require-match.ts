import { DomainError } from '@vestibule/protocol';
import { type ClientResponse, type EntityTagCondition, matchesEntityTag } from '../client-response.js';
import type { ManagedClient } from '../managed-client.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import { managedResponse } from './authorize-management.js';

/** Conditions on the entity tag of a client; an absent condition holds. */
export interface ClientConditions {
  /** The client must have one of these tags. */
  readonly ifMatch?: EntityTagCondition | undefined;
  /** The client must have none of these tags. */
  readonly ifNoneMatch?: EntityTagCondition | undefined;
}

/**
 * Checks the conditions against the current client (RFC 9110 sections 13.1.1 and 13.1.2).
 * @throws DomainError `precondition_failed`
 * @throws KeyEncryptionError when no tag matches but one may be under a digest key that cannot be opened
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
 * Checks the conditions against a finished response.
 * @throws DomainError `precondition_failed`
 * @throws KeyEncryptionError when no tag matches but one may be under a digest key that cannot be opened
 */
export function requireTags(
  { digester }: Pick<RegistrationDeps, 'digester'>,
  response: ClientResponse,
  { ifMatch, ifNoneMatch }: ClientConditions,
): void {
  const isNamed = (condition: EntityTagCondition) => matchesEntityTag(digester.matches, response, condition);
  if (ifMatch !== undefined && !isNamed(ifMatch))
    throw new DomainError('precondition_failed', 'If-Match: the client has changed; read it again');
  if (ifNoneMatch !== undefined && isNamed(ifNoneMatch))
    throw new DomainError('precondition_failed', 'If-None-Match: the entity tag is the current one');
}
