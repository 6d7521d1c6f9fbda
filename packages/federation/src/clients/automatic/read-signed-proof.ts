import { sha256 } from '@vestibule/crypto';
import { epochSeconds, nowSeconds } from '@vestibule/protocol';
import { type AutomaticRequest, readAutomaticRequest } from '../../registration/automatic-request.js';
import { untrusted } from '../../registration/refusals.js';
import type { AutomaticRegistrationDeps, SignedProof } from './automatic-registration-deps.js';

/** Allowed clock skew between instances when a recorded use expires. */
const LEEWAY_SECONDS = 30;

/**
 * The purpose of a proof: one that registers a client is then also checked as a proof of that client, which is another
 * use.
 */
export type ProofUse = 'registration' | 'request';

/**
 * The cheap checks of a proof, before anything is fetched or written: its format, issuer, audience and times.
 * @throws DomainError `invalid_request`
 */
export function readSignedProof(
  { self, allowHosts, requestEndpoints, clock, proofMaxLifetimeSeconds }: AutomaticRegistrationDeps,
  { proof, token, clientId }: SignedProof,
): AutomaticRequest {
  const rules = {
    self,
    allowHosts,
    requestEndpoints,
    now: nowSeconds(clock),
    maxLifetimeSeconds: proofMaxLifetimeSeconds,
  };
  return readAutomaticRequest(proof, token, clientId, rules);
}

/**
 * Uses a proof, which can be done once.
 * @throws DomainError `unauthorized_client` for a proof that was used before
 * @throws Error if the replay store cannot report whether it was
 */
export async function useProof(
  { replays }: Pick<AutomaticRegistrationDeps, 'replays'>,
  { proof, clientId, jti, expiresAt }: AutomaticRequest,
  use: ProofUse,
): Promise<void> {
  const digest = sha256(JSON.stringify([proof, use, clientId, jti]));
  const outcome = await replays.recordUse(digest, epochSeconds(expiresAt + LEEWAY_SECONDS));
  if (outcome === 'unavailable')
    throw new Error('the replay store cannot say whether a proof was used before');
  if (outcome === 'replayed') throw untrusted('the proof was used before');
}
