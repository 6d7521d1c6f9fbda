import { nowSeconds } from '@vestibule/protocol';
import {
  authorizeManagement,
  knownRegistrationToken,
  type ManagementRequest,
  managementActor,
} from './authorize-management.js';
import { type ClientAnswer, clientAnswer } from './client-answer.js';
import { revealCredentials } from './client-information.js';
import { isSecretExpired, provisionSecret, retireSecret } from './provision-secret.js';
import type { RegistrationDeps } from './registration-deps.js';

/**
 * Reads a client (Seed 4.3, RFC 7592 section 2.1). A secret that has expired is renewed first, once: any number of
 * parallel reads return the same new secret. A read with the registration access token repeats that token; one with the
 * token before, which a lost answer left in use, shows its successor.
 *
 * @throws DomainError `missing_token`, `invalid_token` or `not_found` as `authorizeManagement` decides.
 */
export async function readClient(deps: RegistrationDeps, request: ManagementRequest): Promise<ClientAnswer> {
  const { clients, sealer, clock } = deps;
  // A lost round means that somebody else has changed the client, so that there is something new to look at.
  for (;;) {
    const managed = await authorizeManagement(deps, request);
    const { client } = managed;
    const registrationToken = knownRegistrationToken(managed);
    const now = nowSeconds(clock);
    if (client.secret === undefined || !isSecretExpired(client.secret, now)) {
      const revealed = await revealCredentials(sealer, client, { registrationToken });
      return clientAnswer(deps, client, revealed);
    }
    const secret = await provisionSecret(deps, client, client.metadata);
    const earlierSecret = await retireSecret(deps, client, false);
    const renewed = { ...client, secret: secret.stored, updatedAt: now, version: client.version + 1 };
    const change = {
      actor: managementActor(managed),
      action: 'client.secret_renewed',
    } as const;
    if (await clients.replace({ client: renewed, ...(earlierSecret && { earlierSecret }), ...change })) {
      const revealed = await revealCredentials(sealer, renewed, { registrationToken, secret: secret.value });
      return clientAnswer(deps, renewed, revealed);
    }
  }
}
