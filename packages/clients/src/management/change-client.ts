import { DomainError } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import type { OperatorActor } from '../audit-actor.js';
import type { Client } from '../client.js';
import type { ClientOwner } from '../client-owner.js';
import type { ClientResponse } from '../client-response.js';
import type { ManagedClient } from '../managed-client.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import { authorizeManagement, managedResponse } from './authorize-management.js';
import { updateClient } from './update-client.js';

/** An operator's change of a client. */
export interface ChangeClientInput {
  readonly id: string;
  readonly operator: OperatorActor;
  /** Computes the new registration from the current one. Called again if the client has changed in the meantime. */
  readonly change: (client: Client) => JsonObject;
}

/**
 * Updates a client relative to its current registration, like `updateClient`, without losing concurrent changes.
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
 * Updates a client if it is unchanged since it was read; otherwise returns `undefined` and changes nothing.
 * @param owner the set of files that owns the client from now on; default: its present owner
 * @throws DomainError as `updateClient` does.
 */
export async function updateUnchanged(
  deps: RegistrationDeps,
  managed: ManagedClient,
  registration: JsonObject,
  owner?: ClientOwner,
): Promise<ClientResponse | undefined> {
  const { client, operator } = managed;
  const { entityTag } = await managedResponse(deps, managed);
  const body = { ...registration, client_id: client.id };
  try {
    return await updateClient(deps, { id: client.id, operator, managed, body, ifMatch: [entityTag], owner });
  } catch (error) {
    if (error instanceof DomainError && error.code === 'precondition_failed') return undefined;
    throw error;
  }
}
