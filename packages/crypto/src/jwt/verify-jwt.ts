import type { SigningAlgorithm } from '@vestibule/protocol/constants';
import { compactVerify } from 'jose';
import { isSignedWithKeyPair, keyPairAlgorithm } from '../signing-keys/key-pair-signature.js';
import { type DecodedJws, decodeClaims, decodeJws, type JoseHeader } from './compact-serialization.js';
import { JoseFailure } from './jose-failure.js';
import type { VerificationKey, VerificationKeySource } from './jose-keys.js';
import type { VerifiedJwt } from './jwt.js';

/** Requirements on a JWT. */
export interface VerifyJwtOptions {
  /** Finds the keys, from what is known about the signer. */
  readonly keys: VerificationKeySource;
  /** Accepted algorithms, from the registration or configuration. */
  readonly algorithms: readonly SigningAlgorithm[];
  /** Accepted token types (`typ`); `undefined` stands for an absent one. */
  readonly types: readonly (string | undefined)[];
  /** Maximum length of a token, in characters. */
  readonly maxLength: number;
}

/** Maximum number of keys to try for one token. */
const MAX_CANDIDATE_KEYS = 20;

/**
 * Verifies the signature of a JWT in compact serialization. Key and algorithm come only from the verifier: of the
 * header, `alg` must be an expected one and match the key, and `kid` may select among known keys. Claims are parsed
 * after the signature is verified, and are not checked.
 * @throws JoseFailure when the token is not such a JWT, for whatever reason. Errors of `keys` are passed on.
 */
export async function verifyJwt(token: string, options: VerifyJwtOptions): Promise<VerifiedJwt> {
  const jws = decodeJws(token, options.maxLength);
  const { header } = jws;
  requireAlgorithm(header, options.algorithms);
  requireType(header, options.types);
  await requireSignature(token, jws, await candidateKeys(header, options.keys));
  return { header, claims: decodeClaims(jws.payload) } as VerifiedJwt;
}

function requireAlgorithm(header: JoseHeader, algorithms: readonly SigningAlgorithm[]): void {
  if (!algorithms.some((algorithm) => algorithm === header.alg))
    throw new JoseFailure('algorithm', 'algorithm is not accepted');
}

/**
 * Refuses a token of another type. Compares by RFC 7515 section 4.1.9: ignoring case, with or without `application/`.
 * @throws JoseFailure `type`.
 */
export function requireType(header: JoseHeader, types: readonly (string | undefined)[]): void {
  const normalized = normalizeType(header.typ);
  if (!types.some((type) => normalizeType(type) === normalized))
    throw new JoseFailure('type', 'token is of another type');
}

function normalizeType(type: string | undefined): string | undefined {
  return type?.toLowerCase().replace(/^application\//, '');
}

async function candidateKeys(
  header: JoseHeader,
  keys: VerificationKeySource,
): Promise<readonly VerificationKey[]> {
  const found = await keys({ alg: header.alg, kid: header.kid });
  const candidates = found.filter(({ algorithm }) => algorithm === header.alg);
  if (candidates.length === 0) throw new JoseFailure('key', 'there is no key for the token');
  return candidates.slice(0, MAX_CANDIDATE_KEYS);
}

/** Tries one key after the other. Any error means that the signature does not verify with that key. */
async function requireSignature(
  token: string,
  jws: DecodedJws,
  keys: readonly VerificationKey[],
): Promise<void> {
  let cause: unknown;
  for (const key of keys) {
    try {
      if (await isSigned(token, jws, key)) return;
    } catch (error) {
      cause = error;
    }
  }
  throw new JoseFailure('signature', 'signature does not verify', cause);
}

/**
 * Verifies with a key pair synchronously: verifying a new token is the costly case of introspection, and switching
 * threads would double its cost.
 */
async function isSigned(token: string, jws: DecodedJws, key: VerificationKey): Promise<boolean> {
  const algorithm = keyPairAlgorithm(key.algorithm);
  if (algorithm !== undefined) return isSignedWithKeyPair(key, algorithm, jws.signingInput, jws.signature);
  await compactVerify(token, key.key, { algorithms: [key.algorithm] });
  return true;
}
