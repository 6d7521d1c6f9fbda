import { createPublicKey } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol/json';
import type { JWK_EC_Public, JWK_OKP_Public, JWK_RSA_Public } from 'jose';
import { decodeBase64url } from '../jwt/decode-base64url.js';

/** The members of a public key that contain the key itself, by key type. */
export type PublicKeyMaterial =
  | (Pick<JWK_RSA_Public, 'n' | 'e'> & { readonly kty: 'RSA' })
  | (Pick<JWK_EC_Public, 'crv' | 'x' | 'y'> & { readonly kty: 'EC' })
  | (Pick<JWK_OKP_Public, 'crv' | 'x'> & { readonly kty: 'OKP' });

/** A usable public key from outside. */
export interface UsableJwk {
  readonly kid: string | undefined;
  readonly use: string | undefined;
  readonly alg: string | undefined;
  readonly keyOperations: readonly string[] | undefined;
  readonly material: PublicKeyMaterial;
}

/** A key that may be in a set: usable, or of an unknown type or curve. */
export interface AcceptedJwk {
  readonly kid: string | undefined;
  readonly usable: UsableJwk | undefined;
}

/** Thrown and caught within this package: why a key may not be in a set. */
export class JwkProblem extends Error {
  override readonly name = 'JwkProblem';
}

const MAX_KID_LENGTH = 256;
const MIN_RSA_BITS = 2048;
const MAX_RSA_BITS = 8192;
const MAX_RSA_EXPONENT_BYTES = 4;
const EC_COORDINATE_BYTES: ReadonlyMap<string, number> = new Map([
  ['P-256', 32],
  ['P-384', 48],
  ['P-521', 66],
]);
const ED25519_BYTES = 32;

/** Members of private and symmetric keys (RFC 7518 section 6), whatever the key type. */
export const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];

/**
 * Parses one element of `keys`.
 * @throws JwkProblem with a public sentence.
 */
export function readPublicJwk(value: JsonValue): AcceptedJwk {
  if (!isJsonObject(value)) throw new JwkProblem('a key is not a JSON object');
  const kty = value['kty'];
  if (typeof kty !== 'string' || kty === '') throw new JwkProblem('a key has no kty');
  if (kty === 'oct' || PRIVATE_MEMBERS.some((name) => Object.hasOwn(value, name)))
    throw new JwkProblem('a key is private or symmetric');
  const kid = optionalText(value, 'kid');
  if (kid !== undefined && kid.length > MAX_KID_LENGTH) throw new JwkProblem('a kid is too long');
  const attributes = { kid, use: optionalText(value, 'use'), alg: optionalText(value, 'alg') };
  const keyOperations = readKeyOperations(value);
  const material = readMaterial(value, kty);
  return { kid, usable: material && { ...attributes, keyOperations, material } };
}

function optionalText(jwk: JsonObject, name: string): string | undefined {
  const value = jwk[name];
  if (value === undefined || typeof value === 'string') return value;
  throw new JwkProblem(`a ${name} is not a string`);
}

function readKeyOperations(jwk: JsonObject): readonly string[] | undefined {
  const value = jwk['key_ops'];
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw new JwkProblem('a key_ops is not a list');
  const operations = value.filter((item) => typeof item === 'string');
  if (operations.length !== value.length) throw new JwkProblem('a key_ops is not a list of strings');
  return operations;
}

/** Parses and validates the key itself; `undefined` for unsupported types and curves. */
function readMaterial(jwk: JsonObject, kty: string): PublicKeyMaterial | undefined {
  const material = readKnownMaterial(jwk, kty);
  // The import also checks that the point is on its curve.
  if (material !== undefined && !isImportable(material)) throw new JwkProblem('a key is invalid');
  return material;
}

function readKnownMaterial(jwk: JsonObject, kty: string): PublicKeyMaterial | undefined {
  if (kty === 'RSA') return readRsa(jwk);
  if (kty === 'EC') return readEc(jwk);
  if (kty === 'OKP') return readOkp(jwk);
  return undefined;
}

function readRsa(jwk: JsonObject): PublicKeyMaterial {
  const modulus = requireBytes(jwk, 'n');
  const exponent = requireBytes(jwk, 'e');
  const bits = bitLength(modulus.bytes);
  if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS)
    throw new JwkProblem('an RSA key must have 2048 to 8192 bits');
  if (!isAcceptableExponent(exponent.bytes)) throw new JwkProblem('an RSA key has an unusual exponent');
  return { kty: 'RSA', n: modulus.text, e: exponent.text };
}

/** Odd, at least 3, at most 32 bits: larger ones only make verification slow. */
function isAcceptableExponent(bytes: Uint8Array): boolean {
  const last = bytes.at(-1) ?? 0;
  const isOne = bytes.byteLength === 1 && last === 1;
  return bytes[0] !== 0 && bytes.byteLength <= MAX_RSA_EXPONENT_BYTES && last % 2 === 1 && !isOne;
}

function readEc(jwk: JsonObject): PublicKeyMaterial | undefined {
  const crv = requireCurve(jwk);
  const length = EC_COORDINATE_BYTES.get(crv);
  if (length === undefined) return undefined;
  const [x, y] = [requireBytes(jwk, 'x'), requireBytes(jwk, 'y')];
  if (x.bytes.byteLength !== length || y.bytes.byteLength !== length)
    throw new JwkProblem('an EC key has a coordinate of the wrong length');
  return { kty: 'EC', crv, x: x.text, y: y.text };
}

function readOkp(jwk: JsonObject): PublicKeyMaterial | undefined {
  const crv = requireCurve(jwk);
  if (crv !== 'Ed25519') return undefined;
  const x = requireBytes(jwk, 'x');
  if (x.bytes.byteLength !== ED25519_BYTES) throw new JwkProblem('an Ed25519 key has the wrong length');
  return { kty: 'OKP', crv, x: x.text };
}

function requireCurve(jwk: JsonObject): string {
  const crv = jwk['crv'];
  if (typeof crv !== 'string' || crv === '') throw new JwkProblem('a key has no crv');
  return crv;
}

function requireBytes(jwk: JsonObject, name: string): { readonly text: string; readonly bytes: Uint8Array } {
  const text = jwk[name];
  const bytes = typeof text === 'string' && text !== '' ? decodeBase64url(text) : undefined;
  if (typeof text !== 'string' || bytes === undefined) throw new JwkProblem(`a ${name} is not base64url`);
  return { text, bytes };
}

/** 0 for a number with a leading zero, which RFC 7518 section 2 does not allow. */
function bitLength(bytes: Uint8Array): number {
  const [first = 0] = bytes;
  return first === 0 ? 0 : bytes.byteLength * 8 - (Math.clz32(first) - 24);
}

function isImportable(material: PublicKeyMaterial): boolean {
  try {
    createPublicKey({ key: { ...material }, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}
