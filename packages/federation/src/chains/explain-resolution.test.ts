import { describe, expect, it } from 'vitest';
import { anEntityId } from '../testing/entity-ids.js';
import { NOW } from '../testing/test-entity.js';
import type { PathReport, StatementReport } from './chain-report.js';
import { explainResolution } from './explain-resolution.js';

const subject = anEntityId('https://rp.example');

/** A path with this number of statements, passed checks and failed checks. */
function path(
  statements: number,
  passed: number,
  failed: number,
  rest: Partial<PathReport> = {},
): PathReport {
  const checks = [...Array(passed).fill(true), ...Array(failed).fill(false)];
  const statement = (index: number): StatementReport => ({
    kind: 'subordinate',
    issuer: subject,
    subject,
    issuedAt: NOW,
    expiresAt: NOW,
    algorithm: 'ES256',
    checks: index === 0 ? checks.map((each) => ({ check: 'alive', passed: each })) : [],
  });
  return {
    entities: [subject],
    trusted: false,
    statements: Array.from({ length: statements }, (_, index) => statement(index)),
    ...rest,
  };
}

const explain = (paths: readonly PathReport[]) =>
  explainResolution({ subject, chosen: undefined, paths, fetches: 0 });

describe('explainResolution', () => {
  const metadata = { own: {}, merges: [], steps: [] };
  /** In the expected order, from the one that progressed furthest. */
  const ranked = [
    path(1, 1, 0, { trusted: true, trustMarks: [], metadata }),
    path(1, 1, 0, { trustMarks: [], metadata, reason: 'trust_mark', detail: 'first' }),
    path(4, 19, 1, { metadata, reason: 'policy_violation', detail: 'second' }),
    path(1, 1, 0, { metadata, reason: 'policy_conflict', detail: 'third' }),
    path(4, 19, 1, { reason: 'signature', detail: 'fourth' }),
    path(4, 2, 0, { reason: 'expired', detail: 'fifth' }),
    path(3, 2, 0, { reason: 'expired', detail: 'sixth' }),
    path(2, 1, 19, { reason: 'unexpected_statement', detail: 'seventh' }),
    path(5, 0, 1, { reason: 'unexpected_statement', detail: 'eighth' }),
  ];

  it('puts the path that progressed furthest first, whatever the order of the attempts', () => {
    for (const paths of [ranked, ranked.toReversed()]) expect(explain(paths).paths).toEqual(ranked);
  });

  it('returns the reason of the path that progressed furthest, and one of its own if there is no path', () => {
    for (const [index, { reason, detail }] of ranked.entries())
      if (index > 0) expect(explain(ranked.slice(index).toReversed())).toMatchObject({ reason, detail });
    expect(explain([])).toMatchObject({
      trusted: false,
      reason: 'unknown_anchor',
      detail: 'there is no path to a configured anchor',
    });
  });
});
