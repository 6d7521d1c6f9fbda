import type { Client } from '@vestibule/clients';
import {
  ASYMMETRIC_ALGORITHMS,
  DomainError,
  HMAC_ALGORITHMS,
  type SigningAlgorithm,
} from '@vestibule/protocol';
import { issueIdToken } from '@vestibule/tokens';
import { clearSecret } from './clear-secret.js';
import type { DirectAuthorizationDeps } from './deps.js';
import type { DirectAuthorizationRequest } from './direct-authorization-request.js';
import { encryptIdToken } from './encrypt-id-token.js';

/**
 * The ID token of a direct authorisation, signed and encrypted as the client registered.
 * @throws DomainError `invalid_request` without an end-user, and for a client whose ID tokens cannot be signed or
 *   encrypted.
 */
export async function grantIdToken(
  deps: DirectAuthorizationDeps,
  { sub, sid }: DirectAuthorizationRequest,
  client: Client,
): Promise<string> {
  if (sub === undefined)
    throw new DomainError('invalid_request', 'An ID token is about an end-user: sub is missing');
  const algorithm = signingAlgorithm(client);
  const secret = algorithm.startsWith('HS') ? await clearSecret(deps, client) : undefined;
  const idToken = await issueIdToken(deps, {
    clientId: client.id,
    subject: sub,
    lifetimeSeconds: deps.settings.idTokenLifetimeSeconds,
    algorithm,
    ...(secret !== undefined && { clientSecret: secret }),
    ...(sid !== undefined && { sessionId: sid }),
  });
  return encryptIdToken(deps, idToken, client);
}

function signingAlgorithm({ metadata }: Client): SigningAlgorithm {
  const algorithm = [...ASYMMETRIC_ALGORITHMS, ...HMAC_ALGORITHMS].find(
    (name) => name === metadata.id_token_signed_response_alg,
  );
  if (algorithm === undefined)
    throw new DomainError('invalid_request', 'The client wants ID tokens without a signature');
  return algorithm;
}
