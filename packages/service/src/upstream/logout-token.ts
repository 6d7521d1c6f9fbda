import type { EpochSeconds } from '@vestibule/protocol';
import { ASYMMETRIC_ALGORITHMS } from '@vestibule/protocol/constants';
import { isJsonObject } from '@vestibule/protocol/json';
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose';
import type { UpstreamFetch } from './upstream-fetch.js';
import type { UpstreamLogout } from './upstream-provider.js';

/** The keys of a provider, fetched when a token needs them. */
export type LogoutTokenKeys = ReturnType<typeof createRemoteJWKSet>;

/** What a logout token must say. */
export interface LogoutTokenRules {
  readonly issuer: string;
  readonly clientId: string;
  readonly keys: LogoutTokenKeys;
  readonly now: EpochSeconds;
}

/** How old a logout token may be, in seconds. */
export const LOGOUT_TOKEN_MAX_AGE_SECONDS = 300;
/** Tolerated clock skew. */
export const LOGOUT_TOKEN_SKEW_SECONDS = 30;

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const MAX_LENGTH = 512;

/** The key set at an address. Unknown keys make it read again, at most every 30 seconds. */
export function logoutTokenKeys(address: URL, fetch: UpstreamFetch): LogoutTokenKeys {
  return createRemoteJWKSet(address, { [customFetch]: fetch });
}

/**
 * Verifies a logout token by the rules of OpenID Connect Back-Channel Logout 1.0 section 2.6, except for its single
 * use.
 * @returns `undefined` if it is not valid
 * @throws Error if the keys cannot be read
 */
export async function readLogoutToken(
  text: string,
  { issuer, clientId, keys, now }: LogoutTokenRules,
): Promise<(UpstreamLogout & { readonly jti: string }) | undefined> {
  try {
    const { payload, protectedHeader } = await jwtVerify(text, keys, {
      issuer,
      audience: clientId,
      algorithms: [...ASYMMETRIC_ALGORITHMS],
      currentDate: new Date(now * 1_000),
      clockTolerance: LOGOUT_TOKEN_SKEW_SECONDS,
      maxTokenAge: LOGOUT_TOKEN_MAX_AGE_SECONDS,
      requiredClaims: ['iat', 'jti'],
    });
    const { typ = 'logout+jwt' } = protectedHeader;
    return /^(?:application\/)?logout\+jwt$|^JWT$/i.test(typ) ? logoutOf(payload) : undefined;
  } catch (error) {
    if (isAboutToken(error)) return undefined;
    throw error;
  }
}

function logoutOf(payload: JWTPayload): (UpstreamLogout & { readonly jti: string }) | undefined {
  const { iss: issuer, sub: subject, sid, jti, events, nonce } = payload;
  const isLogout = isJsonObject(events) && isJsonObject(events[EVENT]) && nonce === undefined;
  if (!isLogout || issuer === undefined || !isName(jti)) return undefined;
  const names = { ...(isName(subject) && { subject }), ...(isName(sid) && { sid }) };
  return Object.keys(names).length === 0 ? undefined : { issuer, jti, ...names };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH;
}

/** Whether an error is about the token, not about the key set. */
function isAboutToken(error: unknown): boolean {
  return (
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JOSEAlgNotAllowed
  );
}
