import { nowSeconds } from '@vestibule/protocol';
import { authorizeManagement, type ManagedClient, type ManagementRequest } from './authorize-management.js';
import { type ClientResponse, withOperatorMembers } from './client-response.js';
import { managedResponse } from './managed-response.js';
import { isSecretExpired } from './provision-secret.js';
import type { RegistrationDeps } from './registration-deps.js';
import { replaceSecret } from './replace-secret.js';

/**
 * Reads a client (registration/API.md#read, RFC 7592 section 2.1). A secret that has expired is renewed first, once:
 * any number of parallel reads return the same new secret. A read with the registration access token repeats that
 * token; one with the token before, which a lost response left in use, shows its successor. The operator is shown the
 * status, origin, end and last use as well. No secret is shown of a client that has an imported hash of one until the
 * secret was used here.
 *
 * @throws DomainError `missing_token`, `invalid_token` or `not_found` as `authorizeManagement` decides.
 */
export async function readClient(
  deps: RegistrationDeps,
  request: ManagementRequest,
): Promise<ClientResponse> {
  // A lost round means that someone else has changed the client, so that there is something new to look at.
  for (;;) {
    const managed = await authorizeManagement(deps, { ...request, purpose: 'read' });
    const { client } = managed;
    const secret = client.secret ?? client.secretHash;
    if (secret === undefined || !isSecretExpired(secret, nowSeconds(deps.clock)))
      return shownTo(managed, await managedResponse(deps, managed));
    const renewed = await replaceSecret(deps, managed, {
      action: 'client.secret_renewed',
      mayAuthenticate: false,
    });
    if (renewed !== undefined) {
      const present = { ...managed, client: renewed.client };
      return shownTo(present, await managedResponse(deps, present, renewed.secret));
    }
  }
}

/** The client itself is not shown its origin, end and last use; the status has an address of its own. */
function shownTo({ client, registrationToken }: ManagedClient, response: ClientResponse): ClientResponse {
  return registrationToken === undefined ? withOperatorMembers(response, client) : response;
}
