import { nowSeconds } from '@vestibule/protocol';
import {
  authorizeManagement,
  type ManagementRequest,
  managementActor,
  noSuchClient,
} from './authorize-management.js';
import type { EntityTagCondition } from './client-answer.js';
import type { RegistrationDeps } from './registration-deps.js';
import { requireMatch } from './require-match.js';

/** A request to delete a client. */
export interface DeleteClientInput extends ManagementRequest {
  /** The tags of which the client must have one; any client will do when absent. */
  readonly ifMatch?: EntityTagCondition | undefined;
}

/**
 * Deletes a client with everything that was issued to it (Seed 4.5, RFC 7592 section 2.3).
 * @throws DomainError `missing_token`, `invalid_token` or `not_found` as `authorizeManagement` decides; of parallel
 *   deletions exactly one succeeds. `precondition_failed` when the client has none of the tags.
 */
export async function deleteClient(deps: RegistrationDeps, request: DeleteClientInput): Promise<void> {
  const { ifMatch } = request;
  for (;;) {
    const managed = await authorizeManagement(deps, request);
    await requireMatch(deps, managed, ifMatch);
    const { id, version } = managed.client;
    const deletion = {
      actor: managementActor(managed),
      ...(ifMatch !== undefined && { ifVersion: version }),
    };
    if (await deps.clients.delete(id, nowSeconds(deps.clock), deletion)) return;
    // With a condition the client may have changed in between, which the next look tells from its being gone.
    if (ifMatch === undefined) throw noSuchClient(managed);
  }
}
