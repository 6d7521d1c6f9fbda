import { isJsonObject, type JsonObject } from '@vestibule/protocol/json';
import { JwkProblem, readPublicJwk, type UsableJwk } from './public-jwk.js';

declare const publicJwkSetBrand: unique symbol;

/** The key set of a client or entity: at most 20 public keys with distinct key ids. */
export interface PublicJwkSet {
  readonly [publicJwkSetBrand]: true;
  /** The keys as received, including unknown members and key types. */
  readonly keys: readonly JsonObject[];
  /** The keys of supported types and curves. */
  readonly usableKeys: readonly UsableJwk[];
}

/** The result of parsing a key set; `reason` is a fixed public sentence that quotes nothing of it. */
export type PublicJwkSetResult =
  | { readonly ok: true; readonly jwks: PublicJwkSet }
  | { readonly ok: false; readonly reason: string };

const MAX_KEYS = 20;

/**
 * Parses an untrusted JWK set (RFC 7517 section 5). RSA keys have 2,048 to 8,192 bits, and points are on their curve.
 * Keys of unknown types or curves are kept but not usable. One private or symmetric key invalidates the set, since it
 * must never be stored.
 */
export function parsePublicJwks(value: unknown): PublicJwkSetResult {
  try {
    return { ok: true, jwks: readSet(value) };
  } catch (problem) {
    if (problem instanceof JwkProblem) return { ok: false, reason: problem.message };
    throw problem;
  }
}

/** Returns the keys of a set that another set also has: the same key under the same `kid`. */
export function commonKeys(set: PublicJwkSet, other: PublicJwkSet): PublicJwkSet {
  const common: Pick<PublicJwkSet, 'keys' | 'usableKeys'> = {
    keys: set.keys.filter((key) => other.keys.some((one) => isSameKey(key, one))),
    usableKeys: set.usableKeys.filter((key) =>
      other.usableKeys.some((one) => isSameKey(withKid(key), withKid(one))),
    ),
  };
  return common as PublicJwkSet;
}

/** The members that determine a public key. */
const MATERIAL = ['kty', 'crv', 'x', 'y', 'n', 'e'];

function withKid({ kid, material }: UsableJwk): JsonObject {
  return { ...material, ...(kid !== undefined && { kid }) };
}

function isSameKey(one: JsonObject, other: JsonObject): boolean {
  const [kid, otherKid] = [one['kid'], other['kid']];
  const isNamedAlike = kid === otherKid || kid === undefined || otherKid === undefined;
  return isNamedAlike && MATERIAL.every((member) => one[member] === other[member]);
}

function readSet(value: unknown): PublicJwkSet {
  if (!isJsonObject(value)) throw new JwkProblem('the key set is not a JSON object');
  const keys = value['keys'];
  if (!Array.isArray(keys)) throw new JwkProblem('the key set has no keys array');
  if (keys.length > MAX_KEYS) throw new JwkProblem('the key set has more than 20 keys');
  const accepted = keys.map(readPublicJwk);
  const kids = accepted.map(({ kid }) => kid).filter((kid) => kid !== undefined);
  if (new Set(kids).size !== kids.length) throw new JwkProblem('two keys have the same kid');
  const usableKeys = accepted.map(({ usable }) => usable).filter((usable) => usable !== undefined);
  const set: Pick<PublicJwkSet, 'keys' | 'usableKeys'> = { keys: keys.filter(isJsonObject), usableKeys };
  return set as PublicJwkSet;
}
