import type { TokenEvent } from '@vestibule/tokens/testing';
import { aftermathsOf } from './staleness.js';
import { percentilesOf } from './statistics.js';
import { NODES } from './verdict.js';

const SHARES = [0.5, 0.9, 0.99, 0.999, 1] as const;

/**
 * How long revoked tokens were still active, on the instance that revoked and on others, and how exactly that is known.
 */
export function distributionRemarks(events: readonly TokenEvent[]): readonly string[] {
  const aftermaths = aftermathsOf(events, NODES);
  const remark = (name: string, isSameNode: boolean) => {
    const values = aftermaths.filter((each) => each.isSameNode === isSameNode).map(({ staleMs }) => staleMs);
    return `${name} ${textOf(values)} of ${values.length}`;
  };
  return [
    'p50 / p90 / p99 / p99.9 / max',
    remark('on the instance that revoked', true),
    remark('elsewhere', false),
    `asked again after ${textOf(aftermaths.map(({ unknownMs }) => unknownMs))}`,
  ];
}

function textOf(values: readonly number[]): string {
  const texts = percentilesOf(values, SHARES).map((ms) => String(Number(ms.toFixed(ms < 10 ? 1 : 0))));
  return `${texts.join(' / ')} ms`;
}
