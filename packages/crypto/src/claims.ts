import { type EpochSeconds, isEpochSeconds, type JsonObject } from '@vestibule/protocol';
import { JoseFailure } from './jose-failure.js';

/**
 * A claim that is a time, or `undefined` when it is absent: seconds from 1970 to 9999, fractions cut off (RFC 7519
 * section 2).
 * @throws JoseFailure `claims` when it is there and is none.
 */
export function numericDateClaim(claims: JsonObject, name: string): EpochSeconds | undefined {
  const value = ownClaim(claims, name);
  const seconds = typeof value === 'number' ? Math.floor(value) : value;
  if (seconds === undefined || isEpochSeconds(seconds)) return seconds;
  throw new JoseFailure('claims', `${name} is not a time`);
}

/**
 * A claim that is a text, or `undefined` when it is absent.
 * @throws JoseFailure `claims` when it is there and is none, or is empty.
 */
export function textClaim(claims: JsonObject, name: string): string | undefined {
  const value = ownClaim(claims, name);
  if (value === undefined || (typeof value === 'string' && value !== '')) return value;
  throw new JoseFailure('claims', `${name} is not a text`);
}

/**
 * The audience as a list, or `undefined` when the claim is absent (RFC 7519 section 4.1.3).
 * @throws JoseFailure `claims` when it is neither a text nor a list of texts.
 */
export function audienceClaim(claims: JsonObject): readonly string[] | undefined {
  const value = ownClaim(claims, 'aud');
  if (value === undefined) return undefined;
  const list = Array.isArray(value) ? value : [value];
  const texts = list.filter((item) => typeof item === 'string');
  if (texts.length !== list.length) throw new JoseFailure('claims', 'aud is not a text or a list of texts');
  return texts;
}

/**
 * Whether a token is meant for one recipient and nobody else, who is known by any of these names. A token that
 * another recipient may see too could be replayed by that one.
 */
export function isSoleAudience(claims: JsonObject, names: readonly string[]): boolean {
  const audience = audienceClaim(claims);
  const [only, ...others] = audience ?? [];
  return only !== undefined && others.length === 0 && names.includes(only);
}

/** Whether a token is dead at a time: in the second that `exp` names and after it. No leeway. */
export function isExpired(expiresAt: EpochSeconds, now: EpochSeconds): boolean {
  return now >= expiresAt;
}

/** Whether a time lies after now by more than a leeway in seconds; for `iat` and `nbf` that a foreign clock wrote. */
export function isInFuture(time: EpochSeconds, now: EpochSeconds, leewaySeconds = 0): boolean {
  return time > now + leewaySeconds;
}

function ownClaim(claims: JsonObject, name: string) {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}
