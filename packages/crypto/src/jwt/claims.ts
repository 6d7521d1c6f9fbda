import { type EpochSeconds, isEpochSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { JoseFailure } from './jose-failure.js';

/**
 * Returns a time claim, without fractions: seconds from 1970 to 9999; `undefined` if it is absent (RFC 7519 section 2).
 * @throws JoseFailure `claims` when it is not a time.
 */
export function numericDateClaim(claims: JsonObject, name: string): EpochSeconds | undefined {
  const value = ownClaim(claims, name);
  const seconds = typeof value === 'number' ? Math.floor(value) : value;
  if (seconds === undefined || isEpochSeconds(seconds)) return seconds;
  throw new JoseFailure('claims', `${name} is not a time`);
}

/**
 * Returns a string claim; `undefined` if it is absent.
 * @throws JoseFailure `claims` when it is not a string or empty.
 */
export function textClaim(claims: JsonObject, name: string): string | undefined {
  const value = ownClaim(claims, name);
  if (value === undefined || (typeof value === 'string' && value !== '')) return value;
  throw new JoseFailure('claims', `${name} is not a text`);
}

/**
 * Returns the audience as a list; `undefined` if the claim is absent (RFC 7519 section 4.1.3).
 * @throws JoseFailure `claims` when it is neither a string nor a list of strings.
 */
export function audienceClaim(claims: JsonObject): readonly string[] | undefined {
  const value = ownClaim(claims, 'aud');
  if (value === undefined) return undefined;
  const list = Array.isArray(value) ? value : [value];
  const texts = list.filter((item) => typeof item === 'string');
  if (texts.length !== list.length)
    throw new JoseFailure('claims', 'aud is not a string or a list of strings');
  return texts;
}

/**
 * Whether a token's audience is a single recipient, known by any of these names. A token for several recipients could
 * be replayed by another one.
 */
export function isSoleAudience(claims: JsonObject, names: readonly string[]): boolean {
  const audience = audienceClaim(claims);
  const [only, ...others] = audience ?? [];
  return only !== undefined && others.length === 0 && names.includes(only);
}

/** Whether a token has expired: in the second of its `exp` and after it. No leeway. */
export function isExpired(expiresAt: EpochSeconds, now: EpochSeconds): boolean {
  return now >= expiresAt;
}

/** Whether a time is after now by more than a leeway in seconds; for `iat` and `nbf` of another clock. */
export function isInFuture(time: EpochSeconds, now: EpochSeconds, leewaySeconds = 0): boolean {
  return time > now + leewaySeconds;
}

function ownClaim(claims: JsonObject, name: string) {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}
