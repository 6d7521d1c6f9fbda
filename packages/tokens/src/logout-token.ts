import {
  type EncryptJwtOptions,
  encryptJwt,
  type KeyRing,
  randomAlphanumeric,
  signJwt,
} from '@vestibule/crypto';
import {
  type ClientId,
  type Clock,
  DomainError,
  epochSeconds,
  type Issuer,
  JWT_TYP,
  nowSeconds,
  type RandomSource,
  type SigningAlgorithm,
} from '@vestibule/protocol';
import { idTokenKey } from './issue-id-token.js';
import { presentMembers } from './protocol-members.js';

/** What a logout token is issued for. */
export interface LogoutTokenGrant {
  readonly clientId: ClientId;
  /** The end-user by the name that the client has for them. */
  readonly subject?: string;
  /** The `sid` that the client knows the session by. */
  readonly sessionId?: string;
  /** The client's `id_token_signed_response_alg`. */
  readonly algorithm: SigningAlgorithm;
  /** In clear; needed for the HMAC algorithms alone. */
  readonly clientSecret?: string;
  /** For a client whose ID tokens are encrypted; absent for one that receives them signed only. */
  readonly encryption?: EncryptJwtOptions;
}

/** What issuing a logout token takes. */
export interface LogoutTokenDeps {
  readonly clock: Clock;
  readonly issuer: Issuer;
  readonly random: RandomSource;
  /** The provider's key ring. */
  readonly keys: Pick<KeyRing, 'signingKey'>;
}

/** The event that a logout token tells of (OpenID Connect Back-Channel Logout 1.0 section 2.4). */
export const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** How long a logout token is good for, in seconds: the most that the specification recommends. */
export const LOGOUT_TOKEN_LIFETIME_SECONDS = 120;

const JTI_LENGTH = 22;

/**
 * Issues a logout token (OpenID Connect Back-Channel Logout 1.0 section 2.4), signed, and encrypted where that is asked
 * for, as the client's ID tokens are. Each has a `jti` of its own: a receiver that remembers them takes a token that
 * comes twice for a replay.
 * @throws DomainError `invalid_request` when it would name neither an end-user nor a session, or an HMAC algorithm
 *   lacks a secret that is long enough for it.
 * @throws KeyStateError when there is no active key for the algorithm
 * @throws JoseFailure `key` when the key to encrypt with cannot be used
 */
export async function issueLogoutToken(deps: LogoutTokenDeps, grant: LogoutTokenGrant): Promise<string> {
  const { clientId, subject, sessionId, encryption } = grant;
  if (subject === undefined && sessionId === undefined)
    throw new DomainError('invalid_request', 'A logout token names an end-user or a session');
  const now = nowSeconds(deps.clock);
  const claims = presentMembers({
    iss: deps.issuer,
    sub: subject,
    aud: clientId,
    iat: now,
    exp: epochSeconds(now + LOGOUT_TOKEN_LIFETIME_SECONDS),
    jti: randomAlphanumeric(JTI_LENGTH, deps.random),
    events: { [LOGOUT_EVENT]: {} },
    sid: sessionId,
  });
  const signed = await signJwt({ key: idTokenKey(deps, grant), typ: JWT_TYP.logoutToken, claims });
  return encryption === undefined ? signed : encryptJwt(signed, encryption);
}
