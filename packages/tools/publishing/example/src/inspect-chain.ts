import { FederationFailure } from '@vestibule/federation';
import {
  evaluateGivenChain,
  explainResolution,
  parseTrustAnchors,
  readGivenChain,
} from '@vestibule/federation/chains';
import { nowSeconds, systemClock } from '@vestibule/protocol';

/**
 * Checks whether a chain of entity statements leads from a relying party to one of the anchors, and reports the
 * resulting metadata and each failed check. Nothing is fetched.
 */
export async function inspectChain(chain: unknown, anchors: unknown): Promise<object> {
  try {
    const candidate = readGivenChain(chain, { profile: 'final', allowHosts: [] });
    const resolution = await evaluateGivenChain(candidate, {
      anchors: parseTrustAnchors(anchors),
      maxPathLength: 2,
      entityType: 'openid_relying_party',
      now: nowSeconds(systemClock),
      requiredMarks: [],
      allowHosts: [],
    });
    const explanation = explainResolution(resolution);
    if (!explanation.trusted)
      return { trusted: false, reason: explanation.reason, detail: explanation.detail };
    return { trusted: true, entities: explanation.chain, metadata: explanation.metadata };
  } catch (failure) {
    if (!(failure instanceof FederationFailure)) throw failure;
    return { trusted: false, reason: failure.reason };
  }
}
