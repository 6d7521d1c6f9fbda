import { type Client, findActiveClient } from '@vestibule/clients';
import { secretAssociatedData } from '@vestibule/clients/associated-data';
import type { Encryptor } from '@vestibule/crypto/data-keys';
import { DomainError, epochSeconds } from '@vestibule/protocol';
import { ASYMMETRIC_ALGORITHMS, HMAC_ALGORITHMS, type SigningAlgorithm } from '@vestibule/protocol/constants';
import { type IdTokenGrant, issueIdToken } from '@vestibule/tokens/issuing';
import type { DirectAuthorizationDeps } from './deps.js';
import type { DirectAuthorizationRequest } from './direct-authorization-request.js';
import { idTokenEncryption } from './encrypt-id-token.js';
import { enterSession } from './enter-session.js';

/** Members for ID tokens only. */
export const ID_TOKEN_MEMBERS = ['nonce', 'auth_time', 'acr', 'amr', 'azp'] as const;

/** An ID token, and the session that it names. */
export interface GrantedIdToken {
  readonly idToken: string;
  /** The `sid` by which the client knows the session; absent if the request names no session. */
  readonly sid?: string;
}

/**
 * Issues the ID token of a direct authorization, signed and encrypted as the client registered. The client joins the
 * session that the request names.
 * @throws DomainError `invalid_request` without an end-user, for a client whose ID tokens cannot be signed or
 * encrypted, and if `sid` is not a live session of this end-user
 */
export async function grantIdToken(
  deps: DirectAuthorizationDeps,
  request: DirectAuthorizationRequest,
  client: Client,
): Promise<GrantedIdToken> {
  const { sub } = request;
  if (sub === undefined) throw new DomainError('invalid_request', 'sub: is required for an ID token');
  await requireAuthorizedParty(deps, request, client);
  const algorithm = signingAlgorithm(client);
  const secret = algorithm.startsWith('HS') ? await clearSecret(deps, client) : undefined;
  const encrypt = await idTokenEncryption(deps, client);
  // Last, so that a refused request joins no session.
  const sid = await namedSession(deps, { sub, sid: request.sid }, client);
  const idToken = await issueIdToken(deps, {
    ...requestedClaims(request),
    clientId: client.id,
    subject: sub,
    lifetimeSeconds: request.expires_in ?? deps.settings.idTokenLifetimeSeconds,
    algorithm,
    ...(secret !== undefined && { clientSecret: secret }),
    ...(sid !== undefined && { sessionId: sid }),
  });
  return { idToken: await encrypt(idToken), ...(sid !== undefined && { sid }) };
}

function requestedClaims({
  nonce,
  auth_time: authTime,
  acr,
  amr,
  azp,
}: DirectAuthorizationRequest): Partial<IdTokenGrant> {
  return {
    ...(nonce !== undefined && { nonce }),
    ...(authTime !== undefined && { authenticatedAt: epochSeconds(authTime) }),
    ...(acr !== undefined && { authenticationContext: acr }),
    ...(amr && { authenticationMethods: amr }),
    ...(azp !== undefined && { authorizedParty: azp }),
  };
}

async function namedSession(
  deps: DirectAuthorizationDeps,
  { sub, sid: name }: { readonly sub: string; readonly sid: string | undefined },
  { id: clientId }: Client,
): Promise<string | undefined> {
  if (name === undefined) return undefined;
  const sid = await enterSession(deps, name, { clientId, subject: sub });
  if (sid === undefined)
    throw new DomainError('invalid_request', 'sid: is not a live session of the end-user in sub');
  return sid;
}

/** OpenID Connect Core section 2: `azp` is the identifier of a client. */
async function requireAuthorizedParty(
  deps: DirectAuthorizationDeps,
  { azp }: DirectAuthorizationRequest,
  client: Client,
): Promise<void> {
  if (azp === undefined || azp === client.id) return;
  if ((await findActiveClient(deps, azp)) === undefined)
    throw new DomainError('invalid_request', 'azp: is not a registered client');
}

function signingAlgorithm({ metadata }: Client): SigningAlgorithm {
  const algorithm = [...ASYMMETRIC_ALGORITHMS, ...HMAC_ALGORITHMS].find(
    (name) => name === metadata.id_token_signed_response_alg,
  );
  if (algorithm === undefined)
    throw new DomainError(
      'invalid_request',
      'client_id: the client registered ID tokens without a signature',
    );
  return algorithm;
}

/** The decrypted secret of a client; `undefined` if it has none. */
async function clearSecret(
  { encryptor }: { readonly encryptor: Encryptor },
  { id, secret }: Client,
): Promise<string | undefined> {
  return secret && encryptor.open(secret.encrypted, secretAssociatedData(id));
}
