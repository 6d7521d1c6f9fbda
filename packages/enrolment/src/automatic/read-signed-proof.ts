import { sha256 } from '@vestibule/crypto';
import { type AutomaticRequest, readAutomaticRequest } from '@vestibule/federation';
import { epochSeconds, nowSeconds } from '@vestibule/protocol';
import type { AutomaticEnrolment, SignedProof } from './automatic-enrolment.js';
import { untrusted } from './untrusted.js';

/** What our clock may be ahead of that of others when a use is forgotten. */
const LEEWAY_SECONDS = 30;

/**
 * What a proof is used for: one that registers a client goes on to be judged as a proof of that client, which is another
 * use.
 */
export type ProofUse = 'registration' | 'request';

/**
 * The cheap checks of a proof, before anything is fetched: its form, by and for whom it is, its life, and that it comes
 * for the first time.
 * @throws DomainError `invalid_request`, and `unauthorized_client` for a proof that was used before
 * @throws Error when nobody can tell whether it was
 */
export async function readSignedProof(
  { self, allowHosts, clock, replays, proofMaxLifetimeSeconds }: AutomaticEnrolment,
  { proof, token, clientId }: SignedProof,
  use: ProofUse,
): Promise<AutomaticRequest> {
  const rules = { self, allowHosts, now: nowSeconds(clock), maxLifetimeSeconds: proofMaxLifetimeSeconds };
  const request = readAutomaticRequest(proof, token, clientId, rules);
  const digest = sha256(JSON.stringify([proof, use, request.clientId, request.jti]));
  const outcome = await replays.recordUse(digest, epochSeconds(request.expiresAt + LEEWAY_SECONDS));
  if (outcome === 'unavailable') throw new Error('whether a proof was used before cannot be told');
  if (outcome === 'replayed') throw untrusted('the proof was used before');
  return request;
}
