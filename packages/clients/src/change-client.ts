import { DomainError, type JsonObject } from '@vestibule/protocol';
import type { OperatorActor } from './audit-actor.js';
import { authorizeManagement, type ManagedClient } from './authorize-management.js';
import type { Client } from './client.js';
import type { ClientResponse } from './client-response.js';
import { managedResponse } from './managed-response.js';
import type { RegistrationDeps } from './registration-deps.js';
import { updateClient } from './update-client.js';

/** A change that an operator makes to a client. */
export interface ChangeClientInput {
  readonly id: string;
  readonly operator: OperatorActor;
  /** Makes the new registration out of the present one, again when someone else has changed that in the meantime. */
  readonly change: (client: Client) => JsonObject;
}

/**
 * Updates a client by a change of what it is now, as `updateClient` does: what others change in the meantime is not
 * lost.
 * @throws DomainError as `updateClient` does.
 */
export async function changeClient(
  deps: RegistrationDeps,
  { id, operator, change }: ChangeClientInput,
): Promise<ClientResponse> {
  for (;;) {
    const managed = await authorizeManagement(deps, { id, operator });
    const response = await updateUnchanged(deps, managed, change(managed.client));
    if (response !== undefined) return response;
  }
}

/**
 * Updates a client that is still as it was found; `undefined`, and no change, when someone else has changed it.
 * @throws DomainError as `updateClient` does.
 */
export async function updateUnchanged(
  deps: RegistrationDeps,
  managed: ManagedClient,
  registration: JsonObject,
): Promise<ClientResponse | undefined> {
  const { client, operator } = managed;
  const { entityTag } = await managedResponse(deps, managed);
  const body = { ...registration, client_id: client.id };
  try {
    return await updateClient(deps, { id: client.id, operator, managed, body, ifMatch: [entityTag] });
  } catch (error) {
    if (error instanceof DomainError && error.code === 'precondition_failed') return undefined;
    throw error;
  }
}
