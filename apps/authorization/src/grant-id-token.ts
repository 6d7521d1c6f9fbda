import { type Client, secretPlace } from '@vestibule/clients';
import {
  ASYMMETRIC_ALGORITHMS,
  DomainError,
  HMAC_ALGORITHMS,
  type SigningAlgorithm,
} from '@vestibule/protocol';
import { issueIdToken } from '@vestibule/tokens';
import type { DirectAuthorizationDeps } from './deps.js';
import type { DirectAuthorizationRequest } from './direct-authorization-request.js';

/**
 * The ID token of a direct authorisation, signed as the client registered.
 * @throws DomainError `invalid_request` without an end-user, and for a client whose ID tokens cannot be signed.
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
  return issueIdToken(deps, {
    clientId: client.id,
    subject: sub,
    lifetimeSeconds: deps.settings.idTokenLifetimeSeconds,
    algorithm,
    ...(secret !== undefined && { clientSecret: secret }),
    ...(sid !== undefined && { sessionId: sid }),
  });
}

function signingAlgorithm({ metadata }: Client): SigningAlgorithm {
  const algorithm = [...ASYMMETRIC_ALGORITHMS, ...HMAC_ALGORITHMS].find(
    (name) => name === metadata.id_token_signed_response_alg,
  );
  if (algorithm === undefined)
    throw new DomainError('invalid_request', 'The client wants ID tokens without a signature');
  return algorithm;
}

async function clearSecret(
  { sealer }: DirectAuthorizationDeps,
  { id, secret }: Client,
): Promise<string | undefined> {
  return secret && sealer.open(secret.sealed, secretPlace(id));
}
