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
import type { HmacTokenSigner, TokenSigner } from './token-keys.js';

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
  /** When the end-user logged in. */
  readonly authenticatedAt?: EpochSeconds;
  /** The `sid` that the client knows the session by. */
  readonly sessionId?: string;
}

/** What issuing an ID token takes. */
export interface IdTokenDeps {
  readonly clock: Clock;
  readonly issuer: Issuer;
  readonly keys: TokenSigner & HmacTokenSigner;
}

/**
 * Issues an ID token (OpenID Connect Core section 2) for one client, signed as the client registered.
 * @throws DomainError `invalid_request` when the lifetime is not acceptable, or an HMAC algorithm lacks the secret.
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
    auth_time: grant.authenticatedAt,
    sid: grant.sessionId,
  });
  const { algorithm, clientSecret } = grant;
  if (!isHmac(algorithm)) return deps.keys.sign(claims, { typ: JWT_TYP.idToken, alg: algorithm });
  if (clientSecret === undefined)
    throw new DomainError('invalid_request', 'The client has no secret to sign its ID tokens with');
  return deps.keys.signWithSecret(claims, { typ: JWT_TYP.idToken, alg: algorithm }, clientSecret);
}

function isHmac(algorithm: HmacAlgorithm | AsymmetricAlgorithm): algorithm is HmacAlgorithm {
  return HMAC_ALGORITHMS.some((name) => name === algorithm);
}
