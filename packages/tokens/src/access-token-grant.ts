import {
  type ClientId,
  type Clock,
  DomainError,
  type EpochSeconds,
  epochSeconds,
  type Issuer,
  type JsonObject,
  nowSeconds,
} from '@vestibule/protocol';
import { formatScope, type Scope } from '@vestibule/scopes';
import type { AccessToken } from './access-token.js';
import { isProtocolMember } from './protocol-members.js';

/** The longest life of an access token: revocations are remembered as long as a token that they concern can live. */
export const MAX_TOKEN_LIFETIME_SECONDS = 365 * 24 * 60 * 60;

/** What an access token is issued for, whatever its format. */
export interface AccessTokenGrant {
  readonly clientId: ClientId;
  readonly scope: Scope;
  /** Who may learn about the token; without it any resource server may. */
  readonly audience?: readonly string[];
  /** The end-user; absent when the client acts for itself. */
  readonly subject?: string;
  readonly username?: string;
  /** Whole seconds, from 1 to `MAX_TOKEN_LIFETIME_SECONDS`. */
  readonly lifetimeSeconds: number;
  readonly notBefore?: EpochSeconds;
  /** `cnf`: what the token is bound to (RFC 7800). */
  readonly confirmation?: JsonObject;
  /** `act`: who acts for the subject (RFC 8693 section 4.1). */
  readonly actor?: JsonObject;
  /** `dat`: custom authorisation data. */
  readonly data?: JsonObject;
  /** Consented OpenID claims that resource servers may learn. */
  readonly claims?: JsonObject;
  readonly authorizationId?: string;
  /** The end-user's session at the provider, or the `sid` that the client knows it by. */
  readonly sessionId?: string;
}

/** A token as its client receives it, with its state. */
export interface IssuedAccessToken {
  readonly accessToken: string;
  readonly state: AccessToken;
}

/**
 * The state of the token that a grant leads to, issued now.
 * @throws DomainError `invalid_request` when the lifetime, the times, the audience or the claims are not acceptable.
 */
export function grantedToken(deps: { clock: Clock; issuer: Issuer }, grant: AccessTokenGrant): AccessToken {
  const issuedAt = nowSeconds(deps.clock);
  const { clientId, scope, audience = [], lifetimeSeconds, ...rest } = grant;
  checkLifetime(lifetimeSeconds);
  const expiresAt = epochSeconds(issuedAt + lifetimeSeconds);
  checkGrant(grant, expiresAt);
  return {
    clientId,
    scope: formatScope(scope),
    audience: [...new Set(audience)],
    issuer: deps.issuer,
    issuedAt,
    expiresAt,
    ...rest,
  };
}

/** @throws DomainError `invalid_request` unless the number is a lifetime in whole seconds that a token may have. */
export function checkLifetime(seconds: number): void {
  if (!Number.isSafeInteger(seconds) || seconds < 1 || seconds > MAX_TOKEN_LIFETIME_SECONDS)
    throw new DomainError('invalid_request', 'The lifetime must be a number of seconds from 1 to 31536000');
}

function checkGrant(grant: AccessTokenGrant, expiresAt: EpochSeconds): void {
  if (grant.notBefore !== undefined && grant.notBefore >= expiresAt)
    throw new DomainError('invalid_request', 'nbf must lie before the expiry of the token');
  if (grant.audience?.includes(''))
    throw new DomainError('invalid_request', 'aud must not hold an empty value');
  if (Object.keys(grant.claims ?? {}).some(isProtocolMember))
    throw new DomainError('invalid_request', 'claims must not hold members that the protocol defines');
}
