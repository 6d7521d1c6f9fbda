import type { Ledger } from '../fleet/ledger.js';
import type { TrialResult } from './trial.js';

/** What a trial of services under load found besides their responses. */
export interface LedgerFindings {
  readonly remarks: readonly string[];
  readonly problems: readonly string[];
}

/** The result of a trial without evaluated requests. */
export function ledgerlessResult(findings: LedgerFindings): TrialResult {
  return ledgerResult({ requests: 0, failures: 0, slowestMs: 0, examples: [] }, findings);
}

/** The result of a trial in which every response has to be correct. */
export function ledgerResult(
  ledger: Omit<Ledger, 'send'>,
  { remarks, problems }: LedgerFindings,
): TrialResult {
  return {
    requests: ledger.requests,
    failures: ledger.failures,
    slowestMs: ledger.slowestMs,
    violations: { stale: 0, resurrected: 0, falselyInactive: 0, claimedTwice: 0, lost: 0 },
    remarks,
    evidence: [],
    problems: [
      ...(ledger.failures > 0 ? [`requests failed: ${ledger.examples.join('; ')}`] : []),
      ...problems,
    ],
  };
}
