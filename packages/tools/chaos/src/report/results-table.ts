import type { ReportTable } from './report-table.js';

/** The result of each trial. Cells of values that a trial does not measure are empty. */
export const RESULTS_TABLE: ReportTable = {
  name: 'chaos',
  heads: ['what fails', 'requests', 'failed', 'slowest', 'S1 S2 S3 S4 S5', 'recovered', 'remarks', 'result'],
  cellsOf: ({ trial, result }) => {
    const { violations: v, recoveryMs, problems } = result;
    const ms = (value: number) => `${Math.round(value)} ms`;
    const guarantees = [v.stale, v.resurrected, v.falselyInactive, v.claimedTwice, v.lost].join(' ');
    return [
      trial.title,
      ...(result.requests === 0 ? ['', ''] : [String(result.requests), String(result.failures)]),
      result.slowestMs === 0 ? '' : ms(result.slowestMs),
      result.requests === 0 ? '' : guarantees,
      recoveryMs === undefined ? '' : ms(recoveryMs),
      result.remarks.join('; '),
      problems.length === 0 ? 'passed' : `failed: ${problems.join('; ')}`,
    ];
  },
};
