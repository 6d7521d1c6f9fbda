import { DomainError } from '@vestibule/protocol';
import { authorizeManagement, type ManagementRequest } from './authorize-management.js';
import type { RegistrationDeps } from './registration-deps.js';
import { type ReplacedSecret, replaceSecret } from './replace-secret.js';

/**
 * Gives a client a new secret. The one before stops authenticating at once, or after the overlap of the settings;
 * everything else stays, what others change in the meantime included. The metadata are not judged again, so that a
 * secret that has leaked can always be replaced.
 * @throws DomainError `missing_token`, `invalid_token` or `not_found` as `authorizeManagement` decides;
 *   `invalid_request` when the client has no secret.
 */
export async function rotateClientSecret(
  deps: RegistrationDeps,
  request: ManagementRequest,
): Promise<ReplacedSecret> {
  // A lost round means that somebody else has changed the client, so that there is something new to look at.
  for (;;) {
    const managed = await authorizeManagement(deps, request);
    if (managed.client.secret === undefined)
      throw new DomainError('invalid_request', 'The client has no secret.');
    const replaced = await replaceSecret(deps, managed, {
      action: 'client.secret_rotated',
      mayAuthenticate: true,
    });
    if (replaced !== undefined) return replaced;
  }
}
