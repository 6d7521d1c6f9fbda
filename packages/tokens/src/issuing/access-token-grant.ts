import {
  type ClientId,
  type Clock,
  DomainError,
  type EpochSeconds,
  epochSeconds,
  type Issuer,
  nowSeconds,
} from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { formatScope, type Scope } from '@vestibule/scopes';
import type { AccessToken } from '../access-token.js';
import { isProtocolMember } from './protocol-members.js';

/** Longest lifetime of an access token. Revocations are kept for as long as a token that they cover can live. */
export const MAX_TOKEN_LIFETIME_SECONDS = 365 * 24 * 60 * 60;

/** The grant for which an access token is issued, in either format. */
export interface AccessTokenGrant {
  readonly clientId: ClientId;
  readonly scope: Scope;
  /** Resource servers that may introspect the token. Default: any. */
  readonly audience?: readonly string[];
  /** The end-user; absent when the client acts for itself. */
  readonly subject?: string;
  readonly username?: string;
  /** Whole seconds, from 1 to `MAX_TOKEN_LIFETIME_SECONDS`. */
  readonly lifetimeSeconds: number;
  readonly notBefore?: EpochSeconds;
  /** `cnf`: the key or certificate that the token is bound to (RFC 7800). */
  readonly confirmation?: JsonObject;
  /** `act`: the party that acts for the subject (RFC 8693 section 4.1). */
  readonly actor?: JsonObject;
  /** `dat`: custom authorization data. */
  readonly data?: JsonObject;
  /** OpenID claims that the end-user consented to release to resource servers. */
  readonly claims?: JsonObject;
  readonly authorizationId?: string;
  /** The end-user's session at the provider, or the `sid` that the client knows it by. */
  readonly sessionId?: string;
}

/** An issued token in the form that its client receives, with its state. */
export interface IssuedAccessToken {
  readonly accessToken: string;
  readonly state: AccessToken;
}

/**
 * Builds the state of a token for a grant, issued now.
 * @throws DomainError `invalid_request` when the lifetime, the times, the audience or the claims are invalid
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

/** Checks a lifetime. @throws DomainError `invalid_request` unless it is a whole number of seconds within the bounds */
export function checkLifetime(seconds: number): void {
  if (!Number.isSafeInteger(seconds) || seconds < 1 || seconds > MAX_TOKEN_LIFETIME_SECONDS)
    throw new DomainError(
      'invalid_request',
      'The lifetime must be a whole number of seconds from 1 to 31536000',
    );
}

function checkGrant(grant: AccessTokenGrant, expiresAt: EpochSeconds): void {
  if (grant.notBefore !== undefined && grant.notBefore >= expiresAt)
    throw new DomainError('invalid_request', 'nbf: must be before the expiry of the token');
  if (grant.audience?.includes(''))
    throw new DomainError('invalid_request', 'aud: must not contain an empty value');
  if (Object.keys(grant.claims ?? {}).some(isProtocolMember))
    throw new DomainError('invalid_request', 'claims: must not contain members that the protocol defines');
}
