import type { Client } from '@vestibule/clients';
import { previousSecretAssociatedData, secretAssociatedData } from '@vestibule/clients/associated-data';
import { secretVerificationKeys } from '@vestibule/crypto/jwt';
import { nowSeconds } from '@vestibule/protocol';
import { HMAC_ALGORITHMS } from '@vestibule/protocol/constants';
import type { AssertionKeyDeps, AssertionMethod } from '../assertions/assertion-method.js';
import { overlappingSecrets } from '../secrets/overlapping-secrets.js';

/**
 * `client_secret_jwt`: an assertion keyed with the client's secret (OpenID Connect Core 1.0 section 9). A secret that
 * is too short for the algorithm is not used (RFC 7518 section 3.2).
 */
export const clientSecretJwt: AssertionMethod = {
  name: 'client_secret_jwt',
  algorithms: HMAC_ALGORITHMS,
  keys: (deps, client) => async (hint) => secretVerificationKeys(await liveSecrets(deps, client), hint),
};

/** Returns the plain-text secrets that authenticate the client now. */
async function liveSecrets(deps: AssertionKeyDeps, client: Client): Promise<readonly string[]> {
  const secrets = await Promise.all([currentSecret(deps, client), previousSecrets(deps, client)]);
  return secrets.flat();
}

async function currentSecret({ clock, assertions }: AssertionKeyDeps, { id, secret }: Client) {
  if (secret === undefined) return [];
  if (secret.expiresAt !== undefined && nowSeconds(clock) >= secret.expiresAt) return [];
  return [await assertions.encryptor.open(secret.encrypted, secretAssociatedData(id))];
}

async function previousSecrets(deps: AssertionKeyDeps, { id }: Client): Promise<readonly string[]> {
  const live = await overlappingSecrets(deps, id);
  return Promise.all(
    live.map(({ encrypted }) => deps.assertions.encryptor.open(encrypted, previousSecretAssociatedData(id))),
  );
}
