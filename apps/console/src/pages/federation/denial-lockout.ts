import type { FederationMembership } from '@vestibule/clients';
import type { EntityId } from '@vestibule/federation';
import { findLoginClient, type LoginClientDeps, refusalForLoginClient } from '../../login/login-client.js';

/**
 * Says why the denial of an entity is refused: it would delete the client with which the console logs people in.
 * `undefined` if it is not refused.
 */
export async function lockoutByDenial(
  deps: LoginClientDeps,
  entityId: EntityId,
): Promise<string | undefined> {
  const client = await findLoginClient(deps);
  if (client?.federation === undefined || !isThrough(client.federation, entityId)) return undefined;
  return refusalForLoginClient(
    `the client ${client.id}, which is registered through this entity and would be deleted. Without it, no login to the console is possible. At the command line: vestibule federation deny ${asArgument(entityId)} --yes`,
  );
}

/** Whether the trust chain of a client contains an entity, as a denial decides it. */
function isThrough(
  { entityId, superior, trustAnchor, chainEntities = [] }: FederationMembership,
  denied: EntityId,
): boolean {
  return [entityId, superior, trustAnchor, ...chainEntities].includes(denied);
}

/** Quotes an identifier for a shell, if it has characters that a shell interprets. */
function asArgument(entityId: EntityId): string {
  return /^[\w:/.~%-]+$/.test(entityId) ? entityId : `'${entityId.replaceAll("'", `'\\''`)}'`;
}
