import { type EpochSeconds, epochSeconds } from '@vestibule/protocol';
import { ASYMMETRIC_ALGORITHMS, type AsymmetricAlgorithm } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import { isInFuture, numericDateClaim, textClaim } from '../jwt/claims.js';
import { JoseFailure } from '../jwt/jose-failure.js';
import { decodeUnverifiedJwt } from '../jwt/jwt.js';
import { verifyJwt } from '../jwt/verify-jwt.js';
import { jwkThumbprint } from '../public-keys/jwk-thumbprint.js';
import { parsePublicJwks } from '../public-keys/public-jwk-set.js';
import { selectVerificationKeys } from '../public-keys/select-public-keys.js';
import { sha256 } from '../sha256.js';

/** A DPoP proof and what it must prove (RFC 9449 section 4.3). */
export interface PresentedDpopProof {
  /** Value of the `DPoP` header. */
  readonly proof: string;
  readonly accessToken: string;
  /** `cnf.jkt` of the access token: thumbprint of the key that it is bound to. */
  readonly thumbprint: string;
  readonly method: string;
  /** The URL of the request. Query and fragment are ignored. */
  readonly address: string;
  readonly now: EpochSeconds;
  /** Accepted algorithms. Default: all asymmetric ones. */
  readonly algorithms?: readonly AsymmetricAlgorithm[];
}

/** A verified proof, which may still have been used before. */
export interface DpopProof {
  /** Identifies the proof, for a store of used ones: 32 bytes. */
  readonly useDigest: Uint8Array;
  /** The proof is refused from this time on, so its use need not be remembered any longer. */
  readonly refusedFrom: EpochSeconds;
  /** The nonce of the server that the proof is for; `undefined` if it has none. */
  readonly nonce: string | undefined;
}

const MAX_LENGTH = 8_192;
const MAX_JTI_LENGTH = 256;
/** Maximum age of a proof, and the tolerated clock skew of the client, in seconds. */
const MAX_AGE_SECONDS = 60;
const LEEWAY_SECONDS = 10;

/**
 * Verifies that a proof is for this request and made with the key of the access token, at most a minute ago. The caller
 * must refuse a proof that was used before, and check the nonce if it hands out nonces.
 * @throws JoseFailure for every other proof
 */
export async function verifyDpopProof(presented: PresentedDpopProof): Promise<DpopProof> {
  const claims = await verifiedClaims(presented);
  requireRequest(claims, presented);
  const issuedAt = requireFresh(claims, presented.now);
  return {
    useDigest: useDigest(claims, presented.thumbprint),
    refusedFrom: epochSeconds(issuedAt + MAX_AGE_SECONDS + LEEWAY_SECONDS),
    nonce: textClaim(claims, 'nonce'),
  };
}

/** Verifies the claims under the key in the header, which must be the key of the access token. */
async function verifiedClaims(presented: PresentedDpopProof): Promise<JsonObject> {
  const { proof, thumbprint, algorithms = ASYMMETRIC_ALGORITHMS } = presented;
  const { header } = decodeUnverifiedJwt(proof, MAX_LENGTH);
  const { jwk } = header.members;
  const read = parsePublicJwks({ keys: [jwk ?? null] });
  if (!read.ok || read.jwks.usableKeys.length === 0) throw new JoseFailure('key', 'jwk is not a public key');
  const [key] = read.jwks.keys;
  if (key === undefined || jwkThumbprint(key) !== thumbprint)
    throw new JoseFailure('key', 'jwk is not the key that the access token is bound to');
  const { claims } = await verifyJwt(proof, {
    // Use this key whatever `kid` the header has.
    keys: async ({ alg }) => selectVerificationKeys(read.jwks, { alg, kid: undefined }),
    algorithms,
    types: ['dpop+jwt'],
    maxLength: MAX_LENGTH,
  });
  return claims;
}

function requireRequest(claims: JsonObject, { accessToken, method, address }: PresentedDpopProof): void {
  if (claims['htm'] !== method) throw new JoseFailure('claims', 'htm is not the method of the request');
  if (!isSameAddress(textClaim(claims, 'htu'), address))
    throw new JoseFailure('claims', 'htu is not the address of the request');
  if (claims['ath'] !== Buffer.from(sha256(accessToken)).toString('base64url'))
    throw new JoseFailure('claims', 'ath is not the hash of the access token');
}

/** Compares after normalization, without query and fragment (RFC 9449 section 4.3). */
function isSameAddress(htu: string | undefined, address: string): boolean {
  if (htu === undefined || !URL.canParse(htu)) return false;
  const { origin, pathname, username, password } = new URL(htu);
  const expected = new URL(address);
  return username + password === '' && origin === expected.origin && pathname === expected.pathname;
}

function requireFresh(claims: JsonObject, now: EpochSeconds): EpochSeconds {
  const issuedAt = numericDateClaim(claims, 'iat');
  if (issuedAt === undefined) throw new JoseFailure('claims', 'iat is missing');
  if (isInFuture(issuedAt, now, LEEWAY_SECONDS)) throw new JoseFailure('claims', 'iat lies in the future');
  if (now - issuedAt > MAX_AGE_SECONDS) throw new JoseFailure('claims', 'iat is more than a minute ago');
  return issuedAt;
}

function useDigest(claims: JsonObject, thumbprint: string): Uint8Array {
  const jti = textClaim(claims, 'jti');
  if (jti === undefined || jti.length > MAX_JTI_LENGTH)
    throw new JoseFailure('claims', 'jti is missing or too long');
  return sha256(JSON.stringify(['dpop', thumbprint, jti]));
}
