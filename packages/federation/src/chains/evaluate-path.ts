import { type EpochSeconds, epochSeconds } from '@vestibule/protocol';
import type { EntityId } from '../entity-id.js';
import { FederationFailure, type FederationReason, isCapacityReason } from '../federation-failure.js';
import {
  claimsMarks,
  evaluateTrustMarks,
  type RequiredTrustMarks,
  type TrustMarkReport,
} from '../trust-marks/required-trust-marks.js';
import type { TrustMarkIssuers } from '../trust-marks/trust-mark-context.js';
import { requiredMarksUnder } from './anchor-conditions.js';
import type { CandidateChain } from './candidate-chain.js';
import { abandonedPath, type PathReport } from './chain-report.js';
import { type ChainRules, type TrustedChain, validateChain } from './validate-chain.js';

/** The trusted anchors, and the conditions for trust. */
export interface TrustRules extends ChainRules {
  readonly requiredMarks: RequiredTrustMarks;
  readonly allowHosts: readonly string[];
}

/** A trusted chain, with the required trust marks. */
export interface Evaluated {
  readonly chain: TrustedChain;
  /** The earliest expiry of the chain and the trust marks. */
  readonly expiresAt: EpochSeconds;
}

/** What became of one complete path; `evaluated` is absent when it is not trusted. */
export interface PathEvaluation {
  readonly evaluated: Evaluated | undefined;
  readonly report: PathReport;
}

/** Validates a chain, and checks the trust marks that its subject needs under the anchor of this chain. */
export async function evaluatePath(
  candidate: CandidateChain,
  rules: TrustRules,
  issuersFor: (chain: TrustedChain) => TrustMarkIssuers,
): Promise<PathEvaluation> {
  const verdict = await validateChain(candidate, rules);
  if (!verdict.ok) return { evaluated: undefined, report: verdict.report };
  const { chain, report } = verdict;
  const required = requiredMarksUnder(chain.anchor, rules);
  if (required.length === 0) return { evaluated: { chain, expiresAt: chain.expiresAt }, report };
  const anchor = chain.anchorConfiguration;
  if (anchor === undefined)
    return refused(report, 'the chain does not bring the configuration of its anchor');
  const { accepted, reports, isEnough } = await evaluateTrustMarks(chain.subject.trustMarks, required, {
    subject: chain.subject.subject,
    anchor,
    issuers: issuersFor(chain),
    now: rules.now,
    ...(rules.denied !== undefined && { denied: rules.denied }),
    allowHosts: rules.allowHosts,
  });
  const complete = { ...report, trustMarks: reports };
  if (!isEnough) return notEnough(complete, reports);
  const ends = accepted.flatMap((mark) => mark.expiresAt ?? []);
  const expiresAt = epochSeconds(Math.min(chain.expiresAt, ...ends));
  return { evaluated: { chain, expiresAt }, report: { ...complete, expiresAt } };
}

/**
 * The report of a subject that claims the required marks of no anchor at which it could end; `undefined` if it claims
 * them.
 */
export function missingMarks(candidate: CandidateChain, rules: TrustRules): PathReport | undefined {
  const isClaimed = (anchor: EntityId) => claimsMarks(candidate.subject, requiredMarksUnder(anchor, rules));
  if (rules.anchors.size === 0 || [...rules.anchors.keys()].some(isClaimed)) return undefined;
  const failure = new FederationFailure('trust_mark', 'a trust mark that is needed is missing');
  return abandonedPath(candidate, undefined, failure);
}

/** Reasons of a trust mark that become the reason of the refusal; the first refused mark decides. */
const SPECIFIC_REASONS: readonly ((reason: FederationReason | undefined) => boolean)[] = [
  isCapacityReason,
  (reason) => reason === 'trust_mark_unconfirmed',
  (reason) => reason === 'trust_mark_status',
];

/** The refusal of a subject without the required marks: unconfirmed, revoked, or otherwise invalid. */
function notEnough(report: PathReport, marks: readonly TrustMarkReport[]): PathEvaluation {
  const [mark] = SPECIFIC_REASONS.flatMap(
    (isSpecific) => marks.find(({ reason }) => isSpecific(reason)) ?? [],
  );
  const { reason = 'trust_mark', detail = 'a trust mark that is needed is not valid' } = mark ?? {};
  return refused(report, detail, reason);
}

function refused(
  report: PathReport,
  detail: string,
  reason: FederationReason = 'trust_mark',
): PathEvaluation {
  return { evaluated: undefined, report: { ...report, trusted: false, reason, detail } };
}
