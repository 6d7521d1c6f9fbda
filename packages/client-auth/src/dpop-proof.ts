import {
  decodeUnverifiedJwt,
  isInFuture,
  JoseFailure,
  jwkThumbprint,
  numericDateClaim,
  parsePublicJwks,
  selectVerificationKeys,
  sha256,
  textClaim,
  verifyJwt,
} from '@vestibule/crypto';
import {
  ASYMMETRIC_ALGORITHMS,
  type Clock,
  type EpochSeconds,
  epochSeconds,
  type JsonObject,
  nowSeconds,
} from '@vestibule/protocol';
import type { ReplayStore } from './replay-store.js';

/** What judging DPoP proofs takes. */
export interface DpopDeps {
  readonly clock: Clock;
  /** Remembers every proof that was used. */
  readonly replays: ReplayStore;
}

/** A DPoP proof, and what it has to prove (RFC 9449 section 4.3). */
export interface PresentedProof {
  /** The value of the header `DPoP`. */
  readonly proof: string;
  readonly accessToken: string;
  /** The thumbprint of the key that the access token is bound to: `cnf.jkt`. */
  readonly thumbprint: string;
  readonly method: string;
  /** The address that the request was sent to, without query and fragment. */
  readonly address: string;
}

const MAX_LENGTH = 8_192;
const MAX_JTI_LENGTH = 256;
/** How old a proof may be, and how far ahead the clock of its maker, in seconds. */
const MAX_AGE_SECONDS = 60;
const LEEWAY_SECONDS = 10;

/**
 * Why a proof does not prove the possession of the key that an access token is bound to, in a sentence for operators;
 * `undefined` when it does. A proof is good once: its `jti` is recorded after everything else stands.
 * @throws Error when no store can say whether the proof was used: then it proves nothing.
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
    if (outcome === 'unavailable') throw new Error('no store can say whether a DPoP proof was used');
    return outcome === 'fresh' ? undefined : 'the DPoP proof was used before';
  } catch (error) {
    if (!(error instanceof JoseFailure)) throw error;
    return `the DPoP proof is not acceptable: ${error.message}`;
  }
}

/** The claims, once they are verified under the key in the header and that is the key of the access token. */
async function verifiedClaims({ proof, thumbprint }: PresentedProof): Promise<JsonObject> {
  const { header } = decodeUnverifiedJwt(proof, MAX_LENGTH);
  const { jwk } = header.members;
  const read = parsePublicJwks({ keys: [jwk ?? null] });
  if (!read.ok || read.jwks.usableKeys.length === 0) throw new JoseFailure('key', 'jwk is not a public key');
  const [key] = read.jwks.keys;
  if (key === undefined || (await jwkThumbprint(key)) !== thumbprint)
    throw new JoseFailure('key', 'jwk is not the key that the access token is bound to');
  const { claims } = await verifyJwt(proof, {
    // Whatever `kid` the header names, it is this key.
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

/** Compares after normalization, and without query and fragment (RFC 9449 section 4.3). */
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
