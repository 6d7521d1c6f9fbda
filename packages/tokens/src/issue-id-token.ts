import {
  isLongEnoughSecret,
  type KeyRing,
  type SigningKey,
  secretSigningKey,
  signJwt,
} from '@vestibule/crypto';
import {
  type AsymmetricAlgorithm,
  type ClientId,
  type Clock,
  DomainError,
  type EpochSeconds,
  epochSeconds,
  HMAC_ALGORITHMS,
  type HmacAlgorithm,
  type Issuer,
  JWT_TYP,
  nowSeconds,
  type SigningAlgorithm,
} from '@vestibule/protocol';
import { checkLifetime } from './access-token-grant.js';
import { presentMembers } from './protocol-members.js';

/** What an ID token is issued for. */
export interface IdTokenGrant {
  readonly clientId: ClientId;
  readonly subject: string;
  /** Whole seconds, from 1 to `MAX_TOKEN_LIFETIME_SECONDS`. */
  readonly lifetimeSeconds: number;
  /** The client's `id_token_signed_response_alg`. */
  readonly algorithm: SigningAlgorithm;
  /** In clear; needed for the HMAC algorithms alone. */
  readonly clientSecret?: string;
  /** What the client sent with its authorization request. */
  readonly nonce?: string;
  /** When the end-user logged in. */
  readonly authenticatedAt?: EpochSeconds;
  /** The authentication context class. */
  readonly authenticationContext?: string;
  /** The authentication methods. */
  readonly authenticationMethods?: readonly string[];
  /** The client that the ID token is issued to, as its claim `azp` names it. */
  readonly authorizedParty?: string;
  /** The `sid` that the client knows the session by. */
  readonly sessionId?: string;
}

/** What issuing an ID token takes. */
export interface IdTokenDeps {
  readonly clock: Clock;
  readonly issuer: Issuer;
  /** The provider's key ring. */
  readonly keys: Pick<KeyRing, 'signingKey'>;
}

/**
 * Issues an ID token (OpenID Connect Core section 2) for one client, signed as the client registered.
 * @throws DomainError `invalid_request` when the lifetime is not acceptable, or an HMAC algorithm lacks a secret that
 *   is long enough for it.
 */
export async function issueIdToken(deps: IdTokenDeps, grant: IdTokenGrant): Promise<string> {
  checkLifetime(grant.lifetimeSeconds);
  const now = nowSeconds(deps.clock);
  const claims = presentMembers({
    iss: deps.issuer,
    sub: grant.subject,
    aud: grant.clientId,
    iat: now,
    exp: epochSeconds(now + grant.lifetimeSeconds),
    nonce: grant.nonce,
    auth_time: grant.authenticatedAt,
    acr: grant.authenticationContext,
    amr: grant.authenticationMethods,
    azp: grant.authorizedParty,
    sid: grant.sessionId,
  });
  return signJwt({ key: idTokenKey(deps, grant), typ: JWT_TYP.idToken, claims });
}

/**
 * The key that signs what a client verifies as it verifies its ID tokens: ours, or its own secret.
 * @throws DomainError `invalid_request` when an HMAC algorithm lacks a secret that is long enough for it.
 */
export function idTokenKey(
  { keys }: Pick<IdTokenDeps, 'keys'>,
  { algorithm, clientSecret }: Pick<IdTokenGrant, 'algorithm' | 'clientSecret'>,
): SigningKey {
  if (!isHmac(algorithm)) return keys.signingKey(algorithm);
  if (clientSecret === undefined || !isLongEnoughSecret(clientSecret, algorithm))
    throw new DomainError('invalid_request', 'The client has no secret that can sign its ID tokens');
  return secretSigningKey(clientSecret, algorithm);
}

function isHmac(algorithm: HmacAlgorithm | AsymmetricAlgorithm): algorithm is HmacAlgorithm {
  return HMAC_ALGORITHMS.some((name) => name === algorithm);
}
