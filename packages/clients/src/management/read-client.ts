import { nowSeconds } from '@vestibule/protocol';
import { type ClientResponse, withOperatorMembers } from '../client-response.js';
import type { ManagedClient } from '../managed-client.js';
import { isSecretExpired } from '../registration/provision-credentials.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import { authorizeManagement, type ManagementRequest, managedResponse } from './authorize-management.js';
import { replaceSecret } from './replace-secret.js';

/**
 * Reads a client (registration/API.md#read, RFC 7592 section 2.1). An expired secret is renewed once: parallel reads
 * return the same new secret. The response has the registration access token of the request; with the previous one,
 * which a lost response left in use, it has the successor. The operator also sees status, origin, expiry and last use.
 * While a client has only an imported hash, no secret is shown.
 *
 * @throws DomainError `missing_token`, `invalid_token` or `not_found` as `authorizeManagement` decides.
 */
export async function readClient(
  deps: RegistrationDeps,
  request: ManagementRequest,
): Promise<ClientResponse> {
  // A failed attempt means that the client has changed in the meantime, so look again.
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

/** The client itself does not see its origin, expiry and last use; its status has a separate path. */
function shownTo({ client, registrationToken }: ManagedClient, response: ClientResponse): ClientResponse {
  return registrationToken === undefined ? withOperatorMembers(response, client) : response;
}
