import type { Spread } from '../evaluation/statistics.js';
import type { ReportTable } from './report-table.js';

/** How long revoked tokens stayed active in each trial that revokes, in milliseconds. */
export const STALENESS_TABLE: ReportTable = {
  name: 'staleness',
  heads: [
    'revocations',
    'on the instance that revoked',
    'elsewhere',
    'at an API with the package',
    'next request after',
  ],
  cellsOf: ({ result: { staleness } }) =>
    staleness && [
      String(staleness.revocations),
      ...[staleness.sameNode, staleness.elsewhere, staleness.atApi, staleness.unknown].map(spreadText),
    ],
};

/** The percentiles of a distribution, in milliseconds, and the number of its samples. */
export function spreadText(spread: Spread | undefined): string {
  if (spread === undefined) return '';
  const { count, p50, p90, p99, p999, max } = spread;
  return `${[p50, p90, p99, p999, max].map(msOf).join(' / ')} of ${count}`;
}

function msOf(ms: number): string {
  return Number.isFinite(ms) ? String(Number(ms.toFixed(ms < 10 ? 1 : 0))) : 'never';
}
