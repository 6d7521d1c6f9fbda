import { randomAlphanumeric } from '@vestibule/crypto';
import { type EncryptJwtOptions, encryptJwt, signJwt } from '@vestibule/crypto/jwt';
import type { KeyRing } from '@vestibule/crypto/signing-keys';
import {
  type ClientId,
  type Clock,
  DomainError,
  epochSeconds,
  type Issuer,
  nowSeconds,
  type RandomSource,
} from '@vestibule/protocol';
import { JWT_TYP, type SigningAlgorithm } from '@vestibule/protocol/constants';
import { idTokenKey } from './issue-id-token.js';
import { presentMembers } from './protocol-members.js';

/** The logout for which a logout token is issued. */
export interface LogoutTokenGrant {
  readonly clientId: ClientId;
  /** The subject identifier of the end-user at this client. */
  readonly subject?: string;
  /** The `sid` of the session at this client. */
  readonly sessionId?: string;
  /** The client's `id_token_signed_response_alg`. */
  readonly algorithm: SigningAlgorithm;
  /** Client secret in clear; needed only for HMAC algorithms. */
  readonly clientSecret?: string;
  /** Encryption for a client whose ID tokens are encrypted; absent for signed-only ID tokens. */
  readonly encryption?: EncryptJwtOptions;
}

/** Dependencies of issuing logout tokens. */
export interface LogoutTokenDeps {
  readonly clock: Clock;
  readonly issuer: Issuer;
  readonly random: RandomSource;
  /** The provider's key ring. */
  readonly keys: Pick<KeyRing, 'signingKey'>;
}

/** Event type of a logout token (OpenID Connect Back-Channel Logout 1.0 section 2.4). */
export const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Lifetime of a logout token in seconds: the most that the specification recommends. */
export const LOGOUT_TOKEN_LIFETIME_SECONDS = 120;

const JTI_LENGTH = 22;

/**
 * Issues a logout token (OpenID Connect Back-Channel Logout 1.0 section 2.4), signed, and encrypted if `encryption` is
 * set, like the client's ID tokens. Each token has a new `jti`, because receivers treat a repeated one as a replay.
 * @throws DomainError `invalid_request` when neither a subject nor a session is given, or when there is no secret that
 *   is long enough for an HMAC algorithm
 * @throws KeyStateError when there is no active key for the algorithm
 * @throws JoseFailure `key` when the encryption key cannot be used
 */
export async function issueLogoutToken(deps: LogoutTokenDeps, grant: LogoutTokenGrant): Promise<string> {
  const { clientId, subject, sessionId, encryption } = grant;
  if (subject === undefined && sessionId === undefined)
    throw new DomainError('invalid_request', 'A logout token must name an end-user or a session');
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
