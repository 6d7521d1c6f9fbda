import { isJsonObject, JsonError, type JsonValue, parseJson } from '@vestibule/protocol/json';
import { isDevelopmentKey } from './development-keys.js';
import { PRIVATE_MEMBERS } from './public-jwk.js';
import { type PublicJwkSet, type PublicJwkSetResult, parsePublicJwks } from './public-jwk-set.js';
import { countVerificationKeys } from './select-public-keys.js';

const LIMITS = { maxDepth: 6, maxMembers: 1000 };

/**
 * Parses the text of a JWK set that an operator configured, by the rules of {@link parsePublicJwks}. The set must have a
 * key that verifies signatures, and none whose private key is public. The reason says which key is private and by which
 * member, and quotes no value.
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
  if (member !== undefined)
    return { ok: false, reason: `${member}: private and symmetric keys are refused; list public keys only` };
  const result = parsePublicJwks(value);
  const reason = result.ok ? unsuitable(result.jwks) : undefined;
  return reason === undefined ? result : { ok: false, reason };
}

/** Returns why the keys of a set may not be those of a server that signs tokens. */
function unsuitable(jwks: PublicJwkSet): string | undefined {
  if (jwks.usableKeys.some(({ material }) => isDevelopmentKey(material)))
    return 'a key is a development key of node-oidc-provider, whose private key is public';
  return countVerificationKeys(jwks) === 0 ? 'no key of the set verifies signatures' : undefined;
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
