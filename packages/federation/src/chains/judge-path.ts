import { type EpochSeconds, epochSeconds } from '@vestibule/protocol';
import type { EntityId } from '../entity-id.js';
import { FederationFailure, type FederationReason, isCapacityReason } from '../federation-failure.js';
import {
  claimsMarks,
  judgeTrustMarks,
  type RequiredTrustMarks,
  type TrustMarkReport,
} from '../trust-marks/required-trust-marks.js';
import type { TrustMarkIssuers } from '../trust-marks/trust-mark-context.js';
import { requiredMarksUnder } from './anchor-conditions.js';
import type { CandidateChain } from './candidate-chain.js';
import { abandonedPath, type PathReport } from './chain-report.js';
import { type ChainRules, type TrustedChain, validateChain } from './validate-chain.js';

/** Whom to trust, and on which conditions. */
export interface TrustRules extends ChainRules {
  readonly requiredMarks: RequiredTrustMarks;
  readonly allowHosts: readonly string[];
}

/** A chain that is trusted, with the trust marks that it needs. */
export interface Judged {
  readonly chain: TrustedChain;
  /** The least of the chain's end and those of the trust marks. */
  readonly expiresAt: EpochSeconds;
}

/** What became of one complete path; `judged` is absent when it is not trusted. */
export interface PathJudgement {
  readonly judged: Judged | undefined;
  readonly report: PathReport;
}

/** Validates a chain, and judges the trust marks that its subject needs under the anchor of this chain. */
export async function judgePath(
  candidate: CandidateChain,
  rules: TrustRules,
  issuersFor: (chain: TrustedChain) => TrustMarkIssuers,
): Promise<PathJudgement> {
  const verdict = await validateChain(candidate, rules);
  if (!verdict.ok) return { judged: undefined, report: verdict.report };
  const { chain, report } = verdict;
  const required = requiredMarksUnder(chain.anchor, rules);
  if (required.length === 0) return { judged: { chain, expiresAt: chain.expiresAt }, report };
  const anchor = chain.anchorConfiguration;
  if (anchor === undefined)
    return refused(report, 'the chain does not bring the configuration of its anchor');
  const { accepted, reports, isEnough } = await judgeTrustMarks(chain.subject.trustMarks, required, {
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
  return { judged: { chain, expiresAt }, report: { ...complete, expiresAt } };
}

/** The report of a subject that claims the marks of no anchor that it could end at; `undefined` when it does. */
export function missingMarks(candidate: CandidateChain, rules: TrustRules): PathReport | undefined {
  const isClaimed = (anchor: EntityId) => claimsMarks(candidate.subject, requiredMarksUnder(anchor, rules));
  if (rules.anchors.size === 0 || [...rules.anchors.keys()].some(isClaimed)) return undefined;
  const failure = new FederationFailure('trust_mark', 'a trust mark that is needed is missing');
  return abandonedPath(candidate, undefined, failure);
}

/** Reasons of a trust mark that are those of the refusal, the first one that a mark was refused for. */
const TELLING_REASONS: readonly ((reason: FederationReason | undefined) => boolean)[] = [
  isCapacityReason,
  (reason) => reason === 'trust_mark_unconfirmed',
  (reason) => reason === 'trust_mark_status',
];

/** The refusal of a subject without the marks that it needs: unconfirmed, revoked, or not valid otherwise. */
function notEnough(report: PathReport, marks: readonly TrustMarkReport[]): PathJudgement {
  const [telling] = TELLING_REASONS.flatMap(
    (isTelling) => marks.find(({ reason }) => isTelling(reason)) ?? [],
  );
  const { reason = 'trust_mark', detail = 'a trust mark that is needed is not valid' } = telling ?? {};
  return refused(report, detail, reason);
}

function refused(report: PathReport, detail: string, reason: FederationReason = 'trust_mark'): PathJudgement {
  return { judged: undefined, report: { ...report, trusted: false, reason, detail } };
}
