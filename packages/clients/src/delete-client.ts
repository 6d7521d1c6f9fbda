import { nowSeconds } from '@vestibule/protocol';
import { authorizeManagement, type ManagementRequest, noSuchClient } from './authorize-management.js';
import type { RegistrationDeps } from './registration-deps.js';

/**
 * Deletes a client with everything that was issued to it (Seed 4.5, RFC 7592 section 2.3).
 * @throws DomainError `missing_token`, `invalid_token` or `not_found` as `authorizeManagement` decides; of parallel
 *   deletions exactly one succeeds.
 */
export async function deleteClient(deps: RegistrationDeps, request: ManagementRequest): Promise<void> {
  const managed = await authorizeManagement(deps, request);
  const isDeleted = await deps.clients.delete(managed.client.id, nowSeconds(deps.clock));
  if (!isDeleted) throw noSuchClient(managed);
}
