import type { Limits } from './fault.js';
import type { TrialResult } from './trial.js';

/** The missed limits, as sentences. */
export function missedLimits(
  result: Omit<TrialResult, 'problems' | 'remarks' | 'evidence'>,
  limits: Limits,
): readonly string[] {
  const { violations, staleness, failures, slowestMs, recoveryMs = 0 } = result;
  const { p99StaleMs = Number.POSITIVE_INFINITY } = limits;
  const broken = Object.entries(violations).filter(([, count]) => count > 0);
  const problems: readonly (readonly [boolean, string])[] = [
    [
      [staleness?.elsewhere, staleness?.atApi, staleness?.atReference].some(
        (spread) => spread !== undefined && spread.p99 > p99StaleMs,
      ),
      `1 % of the revocations took longer than ${p99StaleMs} ms`,
    ],
    [slowestMs > limits.slowestMs, `a request took longer than ${limits.slowestMs} ms`],
    [limits.failures === 'none' && failures > 0, 'requests failed'],
    [recoveryMs > limits.recoveryMs, `recovery took longer than ${limits.recoveryMs} ms`],
  ];
  return [
    ...broken.map(([name, count]) => `${count} × ${name}`),
    ...problems.flatMap(([isMissed, sentence]) => (isMissed ? [sentence] : [])),
  ];
}
