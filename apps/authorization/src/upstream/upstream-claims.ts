import { isCleanText } from '@vestibule/http/bodies';
import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol/json';
import type { Account } from '../interaction/interaction.js';
import { USER_CLAIMS } from '../provider/claims.js';

const MAX_LENGTH = 2_048;

/**
 * The account of an end-user from the claims of another provider: the standard claims (OpenID Connect Core 1.0 section
 * 5.1) that every store keeps unchanged.
 */
export function upstreamAccount(claims: JsonObject): Account {
  const kept = USER_CLAIMS.flatMap((name) => {
    const value = claims[name];
    return value !== undefined && isStorable(value) ? [[name, value] as const] : [];
  });
  const known: JsonObject = Object.fromEntries(kept);
  const username = [known['preferred_username'], known['email']].find((name) => typeof name === 'string');
  return { ...(username !== undefined && { username }), claims: known };
}

/** A text, a number, a boolean, or an address (section 5.1.1). */
function isStorable(value: JsonValue): boolean {
  if (typeof value === 'string')
    return value.length <= MAX_LENGTH && isCleanText(value.replace(/\r?\n/g, ''));
  if (typeof value === 'number') return Number.isSafeInteger(value);
  if (isJsonObject(value))
    return Object.values(value).every((text) => typeof text === 'string' && isStorable(text));
  return typeof value === 'boolean';
}
