import { type PresentedDpopProof, verifyDpopProof } from '@vestibule/crypto/dpop';
import { JoseFailure } from '@vestibule/crypto/jwt';
import { type Clock, nowSeconds } from '@vestibule/protocol';
import type { ReplayStore } from '../assertions/replay-store.js';

/** Dependencies of checking DPoP proofs. */
export interface DpopDeps {
  readonly clock: Clock;
  /** Store of used proofs. */
  readonly replays: ReplayStore;
}

/**
 * Explains to operators why a proof does not prove possession of the access token's key; `undefined` if it does. A
 * proof can be used once: its `jti` is recorded after all other checks.
 * @throws Error when no store can tell whether the proof was used: then it proves nothing.
 */
export async function whyProofRefused(
  { clock, replays }: DpopDeps,
  presented: Omit<PresentedDpopProof, 'now'>,
): Promise<string | undefined> {
  try {
    const { useDigest, refusedFrom } = await verifyDpopProof({ ...presented, now: nowSeconds(clock) });
    const outcome = await replays.recordUse(useDigest, refusedFrom);
    if (outcome === 'unavailable') throw new Error('no store can tell whether a DPoP proof was used');
    return outcome === 'fresh' ? undefined : 'the DPoP proof was used before';
  } catch (error) {
    if (!(error instanceof JoseFailure)) throw error;
    return `the DPoP proof is not acceptable: ${error.message}`;
  }
}
