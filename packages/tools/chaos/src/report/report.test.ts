import { expect, it } from 'vitest';
import type { TrialResult } from '../trials/trial.js';
import { insertReport } from './report.js';

const RESULT: TrialResult = {
  requests: 10,
  failures: 1,
  slowestMs: 12.3,
  staleness: {
    revocations: 3,
    elsewhere: { count: 5, p50: 0, p90: 0.44, p99: 4.4, p999: 9.96, max: 1_234.5 },
    unknown: { count: 5, p50: 0, p90: 1, p99: 2, p999: 30, max: Number.POSITIVE_INFINITY },
  },
  violations: { stale: 1, resurrected: 2, falselyInactive: 3, claimedTwice: 4, lost: 5 },
  recoveryMs: 7,
  remarks: ['a|b'],
  evidence: [],
  problems: ['late'],
};
const DOCUMENT = [
  'before',
  ...['<!-- chaos:begin -->', '| `gone` | x |', '| `two` | old |', '<!-- chaos:end -->'],
  'between',
  ...['<!-- staleness:begin -->', '| `three` | old |', '| `two` | old |', '<!-- staleness:end -->'],
  'after',
].join('\n');
const reported = (id: string, result: TrialResult) => ({ trial: { id, title: `title of ${id}` }, result });

function rowsAfter(document: string): readonly string[] {
  return document.split('\n').filter((line) => line.startsWith('| `'));
}

it('replaces rows in the order of the trials, and drops trials that no longer exist', () => {
  const document = insertReport(DOCUMENT, [reported('one', RESULT)], ['one', 'two', 'three']);
  expect(rowsAfter(document)).toEqual([
    '| `one` | title of one | 10 | 1 | 12 ms | 1 2 3 4 5 | 7 ms | a&#124;b | failed: late |',
    '| `two` | old |',
    '| `one` | 3 |  | 0 / 0.4 / 4.4 / 10 / 1235 of 5 |  | 0 / 1 / 2 / 30 / never of 5 |',
    '| `two` | old |',
    '| `three` | old |',
  ]);
  const lines = document.split('\n');
  expect([lines[0], lines.includes('between'), lines.at(-1)]).toEqual(['before', true, 'after']);
});

it('leaves cells empty that a trial without requests does not measure', () => {
  const unmeasured = { ...RESULT, requests: 0, failures: 0, slowestMs: 0, problems: [] };
  const document = insertReport(DOCUMENT, [reported('one', unmeasured)], ['one']);
  expect(rowsAfter(document)[0]).toBe('| `one` | title of one |  |  |  |  | 7 ms | a&#124;b | passed |');
});

it('reports staleness only for trials with revocations', () => {
  const { staleness: _, ...unrevoked } = RESULT;
  const document = insertReport(DOCUMENT, [reported('two', unrevoked)], ['two', 'three']);
  expect(rowsAfter(document).map((row) => row.slice(0, 12))).toEqual(['| `two` | ti', '| `three` | ']);
});

it('rejects a document without marks for a table', () => {
  const marks = DOCUMENT.replace('<!-- staleness:begin -->', '');
  expect(() => insertReport(marks, [], [])).toThrow('no marks');
});
