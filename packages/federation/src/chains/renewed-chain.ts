import { FederationFailure, type FederationReason, isCapacityReason } from '../federation-failure.js';
import { type CandidateChain, entitiesOf } from './candidate-chain.js';
import type { PathReport } from './chain-report.js';
import type { StatementReader } from './statement-reader.js';

/** Why a signature is refused when a key was rolled over and the cache still has statements from before. */
const STALE_REASONS: readonly (FederationReason | undefined)[] = ['key_id', 'signature'];

/**
 * A chain that was refused for a signature, with the statement and those that tell the keys of its signer fetched anew,
 * as far as they came from the cache.
 * @returns `undefined` when it was refused for another reason, or when nothing newer can be had.
 * @throws FederationFailure for want of capacity.
 */
export async function renewedChain(
  chain: CandidateChain,
  { reason, failedAt }: PathReport,
  reader: StatementReader,
): Promise<CandidateChain | undefined> {
  if (failedAt === undefined || !STALE_REASONS.includes(reason)) return undefined;
  try {
    return await withNewKeys(chain, entitiesOf(chain).indexOf(failedAt.issuer), reader);
  } catch (failure) {
    if (failure instanceof FederationFailure && !isCapacityReason(failure.reason)) return undefined;
    throw failure;
  }
}

/** @param place That of the signer in the chain, the subject first. */
async function withNewKeys(
  { subject, links }: CandidateChain,
  place: number,
  reader: StatementReader,
): Promise<CandidateChain | undefined> {
  const signer = place === 0 ? subject : links[place - 1]?.configuration;
  const [above, signed] = [links[place], links[place - 1]];
  if (signer === undefined) return undefined;
  const own = await reader.newConfiguration(signer);
  const about = above?.configuration && (await reader.newSubordinate(above.configuration, above.statement));
  // What the signer says of the entity below may be signed with the key that it has dropped.
  const below = signed && (await reader.newSubordinate(signer, signed.statement));
  if (own === undefined && about === undefined && below === undefined) return undefined;
  return {
    subject: place === 0 ? (own ?? subject) : subject,
    links: links.map((link, index) => {
      if (index === place) return { ...link, statement: about ?? link.statement };
      if (index !== place - 1) return link;
      return { statement: below ?? link.statement, configuration: own ?? link.configuration };
    }),
  };
}
