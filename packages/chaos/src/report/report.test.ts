import { expect, it } from 'vitest';
import type { TrialResult } from '../trials/trial.js';
import { insertReport } from './report.js';

const RESULT: TrialResult = {
  requests: 10,
  failures: 1,
  slowestMs: 12.3,
  staleness: { p50: 0, p99: 4.4, max: 9 },
  violations: { stale: 1, resurrected: 2, falselyInactive: 3, claimedTwice: 4, lost: 5 },
  recoveryMs: 7,
  remarks: ['a|b'],
  evidence: [],
  problems: ['late'],
};

it('puts new rows in place of old ones, in the order of the trials, and drops trials that are no more', () => {
  const document = 'before\n<!-- chaos:begin -->\n| `gone` | x |\n| `two` | old |\n<!-- chaos:end -->\nafter';
  const reported = [{ trial: { id: 'one', title: 'first' }, result: RESULT }];
  const lines = insertReport(document, reported, ['one', 'two']).split('\n');
  expect(lines.filter((line) => line.startsWith('| `'))).toEqual([
    '| `one` | first | 10 | 1 | 12 ms | 0 / 4 / 9 ms | 1 2 3 4 5 | 7 ms | a&#124;b | broken: late |',
    '| `two` | old |',
  ]);
  expect([lines[0], lines.at(-1)]).toEqual(['before', 'after']);
  expect(() => insertReport('', reported, ['one'])).toThrow('no place');
});
