import { isLongEnoughSecret, type SigningKey, secretSigningKey, signJwt } from '@vestibule/crypto/jwt';
import type { KeyRing } from '@vestibule/crypto/signing-keys';
import {
  type ClientId,
  type Clock,
  DomainError,
  type EpochSeconds,
  epochSeconds,
  type Issuer,
  nowSeconds,
} from '@vestibule/protocol';
import {
  type AsymmetricAlgorithm,
  HMAC_ALGORITHMS,
  type HmacAlgorithm,
  JWT_TYP,
  type SigningAlgorithm,
} from '@vestibule/protocol/constants';
import { checkLifetime } from './access-token-grant.js';
import { presentMembers } from './protocol-members.js';

/** The grant for which an ID token is issued. */
export interface IdTokenGrant {
  readonly clientId: ClientId;
  readonly subject: string;
  /** Whole seconds, from 1 to `MAX_TOKEN_LIFETIME_SECONDS`. */
  readonly lifetimeSeconds: number;
  /** The client's `id_token_signed_response_alg`. */
  readonly algorithm: SigningAlgorithm;
  /** Client secret in clear; needed only for HMAC algorithms. */
  readonly clientSecret?: string;
  /** `nonce` of the authorization request. */
  readonly nonce?: string;
  /** When the end-user logged in (`auth_time`). */
  readonly authenticatedAt?: EpochSeconds;
  /** The authentication context class (`acr`). */
  readonly authenticationContext?: string;
  /** The authentication methods (`amr`). */
  readonly authenticationMethods?: readonly string[];
  /** The client to which the ID token is issued (`azp`). */
  readonly authorizedParty?: string;
  /** The `sid` of the session at this client. */
  readonly sessionId?: string;
}

/** Dependencies of issuing ID tokens. */
export interface IdTokenDeps {
  readonly clock: Clock;
  readonly issuer: Issuer;
  /** The provider's key ring. */
  readonly keys: Pick<KeyRing, 'signingKey'>;
}

/**
 * Issues an ID token (OpenID Connect Core section 2) for one client, signed as the client registered.
 * @throws DomainError `invalid_request` when the lifetime is invalid, or when there is no secret that is long enough
 *   for an HMAC algorithm
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
 * Finds the key that signs ID tokens for a client, and other JWTs that it verifies in the same way: a key of the ring,
 * or the client's own secret.
 * @throws DomainError `invalid_request` when there is no secret that is long enough for an HMAC algorithm
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
