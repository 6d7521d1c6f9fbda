import { sha256 } from '@vestibule/crypto';
import { type DpopProof, verifyDpopProof } from '@vestibule/crypto/dpop';
import { JoseFailure } from '@vestibule/crypto/jwt';
import { type Clock, nowSeconds } from '@vestibule/protocol';
import type { AsymmetricAlgorithm } from '@vestibule/protocol/constants';
import type { DpopNonces } from '../dpop/dpop-nonces.js';
import type { ProofReplays } from '../dpop/proof-replays.js';
import type { TokenScheme } from '../request/presented-token.js';
import { requestAddress } from '../request/request-address.js';
import type { ResourceRequest } from '../request/resource-request.js';
import type { AccessToken } from './access-token.js';
import type { RefusalReason } from './verification.js';

/** How the binding of tokens is checked. */
export interface BindingRules {
  readonly algorithms: readonly AsymmetricAlgorithm[];
  readonly replays: ProofReplays;
  /** Nonces that proofs must have; `undefined` if none are required. */
  readonly nonces: DpopNonces | undefined;
  /** URL that precedes the paths of requests, without a slash at the end. */
  readonly baseUrl: string;
  readonly clock: Clock;
}

/** A presented token, with the request. */
export interface PresentedBinding {
  readonly request: ResourceRequest;
  readonly scheme: TokenScheme;
  /** The token as text. */
  readonly text: string;
  readonly token: AccessToken;
}

/**
 * Why a request with a token that is bound to a certificate is refused, or to something that is not supported, or with
 * the wrong scheme for the token; `undefined` if there is no reason. A token that is bound to a DPoP key is refused as a
 * bearer token (RFC 9449 section 7.2), and one that is not, with the scheme DPoP.
 */
export function whyBindingRefused({ request, scheme, token }: PresentedBinding): RefusalReason | undefined {
  let isDpopBound = false;
  for (const method of Object.keys(token.confirmation)) {
    if (method === 'jkt') isDpopBound = true;
    else if (method !== 'x5t#S256' || !isCertificateOf(token, request)) return 'binding';
  }
  return isDpopBound === (scheme === 'DPoP') ? undefined : 'binding';
}

/** RFC 8705 section 3.1. */
function isCertificateOf({ confirmation }: AccessToken, request: ResourceRequest): boolean {
  const certificate = request.clientCertificate?.();
  if (certificate === undefined || certificate.byteLength === 0) return false;
  return confirmation['x5t#S256'] === Buffer.from(sha256(certificate)).toString('base64url');
}

/**
 * Why the proof of a request with a DPoP-bound token is refused (RFC 9449 section 4.3); `undefined` if it is acceptable.
 * A proof is recorded as used after all other checks.
 */
export async function whyProofRefused(
  rules: BindingRules,
  { request, text, token }: PresentedBinding,
): Promise<RefusalReason | undefined> {
  const proof = request.header('dpop');
  const thumbprint = token.confirmation['jkt'];
  const address = requestAddress(rules.baseUrl, request.url);
  if (typeof proof !== 'string' || typeof thumbprint !== 'string' || address === undefined) return 'proof';
  const { algorithms, nonces, replays, clock } = rules;
  const { method } = request;
  try {
    const presented = { proof, accessToken: text, thumbprint, method, address, algorithms };
    const verified = await verifyDpopProof({ ...presented, now: nowSeconds(clock) });
    if (nonces !== undefined && !nonces.isAccepted(verified.nonce)) return 'nonce';
    return USE_REFUSALS[await recordUse(replays, verified)];
  } catch (error) {
    if (error instanceof JoseFailure) return 'proof';
    throw error;
  }
}

/** A store of the application may reject in spite of its contract. */
async function recordUse(replays: ProofReplays, { useDigest, refusedFrom }: DpopProof) {
  try {
    return await replays.recordUse(useDigest, refusedFrom);
  } catch {
    return 'unavailable';
  }
}

const USE_REFUSALS = { fresh: undefined, replayed: 'replayed_proof', unavailable: 'unavailable' } as const;
