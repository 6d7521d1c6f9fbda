import { sha256 } from '@vestibule/crypto';
import {
  decodeUnverifiedJwt,
  isInFuture,
  JoseFailure,
  numericDateClaim,
  textClaim,
  verifyJwt,
} from '@vestibule/crypto/jwt';
import { jwkThumbprint, parsePublicJwks, selectVerificationKeys } from '@vestibule/crypto/public-keys';
import { type Clock, type EpochSeconds, epochSeconds, nowSeconds } from '@vestibule/protocol';
import { ASYMMETRIC_ALGORITHMS } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import type { ReplayStore } from '../assertions/replay-store.js';

/** Dependencies of checking DPoP proofs. */
export interface DpopDeps {
  readonly clock: Clock;
  /** Store of used proofs. */
  readonly replays: ReplayStore;
}

/** A DPoP proof and what it must prove (RFC 9449 section 4.3). */
export interface PresentedProof {
  /** Value of the `DPoP` header. */
  readonly proof: string;
  readonly accessToken: string;
  /** `cnf.jkt` of the access token: thumbprint of the key that it is bound to. */
  readonly thumbprint: string;
  readonly method: string;
  /** The URL of the request, without query and fragment. */
  readonly address: string;
}

const MAX_LENGTH = 8_192;
const MAX_JTI_LENGTH = 256;
/** Maximum age of a proof, and the tolerated clock skew of the client, in seconds. */
const MAX_AGE_SECONDS = 60;
const LEEWAY_SECONDS = 10;

/**
 * Explains to operators why a proof does not prove possession of the access token's key; `undefined` if it does. A
 * proof can be used once: its `jti` is recorded after all other checks.
 * @throws Error when no store can tell whether the proof was used: then it proves nothing.
 */
export async function whyProofRefused(
  deps: DpopDeps,
  presented: PresentedProof,
): Promise<string | undefined> {
  try {
    const claims = await verifiedClaims(presented);
    requireRequest(claims, presented);
    const issuedAt = requireFresh(claims, nowSeconds(deps.clock));
    const outcome = await deps.replays.recordUse(
      useDigest(claims, presented.thumbprint),
      epochSeconds(issuedAt + MAX_AGE_SECONDS + LEEWAY_SECONDS),
    );
    if (outcome === 'unavailable') throw new Error('no store can tell whether a DPoP proof was used');
    return outcome === 'fresh' ? undefined : 'the DPoP proof was used before';
  } catch (error) {
    if (!(error instanceof JoseFailure)) throw error;
    return `the DPoP proof is not acceptable: ${error.message}`;
  }
}

/** Verifies the claims under the key in the header, which must be the key of the access token. */
async function verifiedClaims({ proof, thumbprint }: PresentedProof): Promise<JsonObject> {
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
    algorithms: ASYMMETRIC_ALGORITHMS,
    types: ['dpop+jwt'],
    maxLength: MAX_LENGTH,
  });
  return claims;
}

function requireRequest(claims: JsonObject, { accessToken, method, address }: PresentedProof): void {
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

function requireFresh(claims: JsonObject, now: EpochSeconds): number {
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
