import { FederationFailure, type FederationReason, isCapacityReason } from '../federation-failure.js';
import { type CandidateChain, entitiesOf } from './candidate-chain.js';
import type { PathReport } from './chain-report.js';
import type { StatementReader } from './statement-reader.js';

/** The reasons of an invalid signature after a key rollover, while the cache still has earlier statements. */
const STALE_REASONS: readonly (FederationReason | undefined)[] = ['key_id', 'signature'];

/**
 * A chain that was refused for a signature, after the cached ones among the statement and those with the keys of its
 * signer were fetched again.
 * @returns `undefined` if it was refused for another reason, or if there are no newer statements.
 * @throws FederationFailure for lack of capacity.
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

/** @param position Position of the signer in the chain, the subject first. */
async function withNewKeys(
  { subject, links }: CandidateChain,
  position: number,
  reader: StatementReader,
): Promise<CandidateChain | undefined> {
  const signer = position === 0 ? subject : links[position - 1]?.configuration;
  const [above, signed] = [links[position], links[position - 1]];
  if (signer === undefined) return undefined;
  const own = await reader.newConfiguration(signer);
  const about = above?.configuration && (await reader.newSubordinate(above.configuration, above.statement));
  // The statement of the signer about the entity below may be signed with the key that it has dropped.
  const below = signed && (await reader.newSubordinate(signer, signed.statement));
  if (own === undefined && about === undefined && below === undefined) return undefined;
  return {
    subject: position === 0 ? (own ?? subject) : subject,
    links: links.map((link, index) => {
      if (index === position) return { ...link, statement: about ?? link.statement };
      if (index !== position - 1) return link;
      return { statement: below ?? link.statement, configuration: own ?? link.configuration };
    }),
  };
}
