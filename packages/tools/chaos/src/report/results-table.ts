import type { ReportTable } from './report-table.js';

/** The result of each trial. */
export const RESULTS_TABLE: ReportTable = {
  name: 'chaos',
  heads: ['what fails', 'requests', 'failed', 'slowest', 'S1 S2 S3 S4 S5', 'recovered', 'remarks', 'verdict'],
  cellsOf: ({ trial, result }) => {
    const { violations: v, recoveryMs, problems } = result;
    const ms = (value: number) => `${Math.round(value)} ms`;
    return [
      trial.title,
      String(result.requests),
      String(result.failures),
      ms(result.slowestMs),
      [v.stale, v.resurrected, v.falselyInactive, v.claimedTwice, v.lost].join(' '),
      recoveryMs === undefined ? '' : ms(recoveryMs),
      result.remarks.join('; '),
      problems.length === 0 ? 'kept' : `broken: ${problems.join('; ')}`,
    ];
  },
};
