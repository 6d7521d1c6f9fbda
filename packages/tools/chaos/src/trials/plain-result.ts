import { spreadOf } from '../evaluation/statistics.js';
import { verdictOn } from '../evaluation/verdict.js';
import type { History } from '../load/history.js';
import type { TrialResult } from './trial.js';

/** Findings of a trial without load, besides its history. */
export interface OwnFindings {
  /** How long a revoked token may be active on the other instances, default 5,000. */
  readonly staleMs?: number;
  readonly remarks?: readonly string[];
  readonly problems?: readonly string[];
}

const STALE_MS = 5_000;

/** The result of a trial without a fault, in which every request has to get a correct response. */
export function plainResult(history: History, own: OwnFindings = {}): TrialResult {
  const { staleMs = STALE_MS, remarks = [], problems = [] } = own;
  const { violations, staleness, evidence } = verdictOn(history.events, staleMs, 0);
  const failures = history.count('fault') + history.count('unanswered');
  const broken = Object.entries(violations).filter(([, count]) => count > 0);
  return {
    requests: history.latenciesMs.length,
    failures,
    slowestMs: spreadOf(history.latenciesMs)?.max ?? 0,
    ...(staleness && { staleness }),
    violations,
    remarks,
    evidence,
    problems: [
      ...broken.map(([name, count]) => `${count} × ${name}`),
      ...(failures > 0 ? ['requests failed'] : []),
      ...problems,
    ],
  };
}
