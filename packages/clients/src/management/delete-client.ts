import { nowSeconds } from '@vestibule/protocol';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import {
  authorizeManagement,
  type ManagementRequest,
  managementActor,
  noSuchClient,
  requireChangeable,
} from './authorize-management.js';
import { type ClientConditions, requireMatch } from './require-match.js';

/** A request to delete a client. */
export interface DeleteClientInput extends ManagementRequest, ClientConditions {}

/**
 * Deletes a client with everything that was issued to it (registration/API.md#delete, RFC 7592 section 2.3).
 * @throws DomainError `missing_token`, `invalid_token` or `not_found` as `authorizeManagement` decides; of parallel
 *   deletions exactly one succeeds. `insufficient_scope` when a suspended client deletes itself. `precondition_failed` when a condition does not hold.
 */
export async function deleteClient(deps: RegistrationDeps, request: DeleteClientInput): Promise<void> {
  const isConditional = request.ifMatch !== undefined || request.ifNoneMatch !== undefined;
  for (;;) {
    const managed = await authorizeManagement(deps, request);
    requireChangeable(managed);
    await requireMatch(deps, managed, request);
    const { id, version } = managed.client;
    const deletion = {
      actor: managementActor(managed),
      ...(isConditional && { ifVersion: version }),
    };
    if (await deps.clients.delete(id, nowSeconds(deps.clock), deletion)) return;
    // With a condition, the client may have changed instead of having been deleted; the next round tells which.
    if (!isConditional) throw noSuchClient(managed);
  }
}
