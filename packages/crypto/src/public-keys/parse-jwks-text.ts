import { isJsonObject, JsonError, type JsonValue, parseJson } from '@vestibule/protocol/json';
import { PRIVATE_MEMBERS } from './public-jwk.js';
import { type PublicJwkSetResult, parsePublicJwks } from './public-jwk-set.js';

const LIMITS = { maxDepth: 6, maxMembers: 1000 };

/**
 * Parses the text of a JWK set that an operator configured, by the rules of {@link parsePublicJwks}. The reason says
 * which key is private and by which member, and quotes no value.
 */
export function parseJwksText(text: string): PublicJwkSetResult {
  let value: JsonValue;
  try {
    value = parseJson(text, LIMITS);
  } catch (error) {
    // The message names a rule and quotes no value.
    if (error instanceof JsonError) return { ok: false, reason: error.message };
    throw error;
  }
  const member = privateMember(value);
  return member === undefined
    ? parsePublicJwks(value)
    : { ok: false, reason: `${member}: private and symmetric keys are refused; list public keys only` };
}

/** Returns the path of the first member that only private and symmetric keys have. */
function privateMember(value: JsonValue): string | undefined {
  const keys = isJsonObject(value) ? value['keys'] : undefined;
  if (!Array.isArray(keys)) return undefined;
  const paths = keys.map((key, index) => {
    const name = isJsonObject(key) && PRIVATE_MEMBERS.find((member) => Object.hasOwn(key, member));
    return name ? `keys[${index}].${name}` : undefined;
  });
  return paths.find((path) => path !== undefined);
}
