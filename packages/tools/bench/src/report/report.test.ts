import { expect, it } from 'vitest';
import type { Comparison, FigureWorkload } from '../workloads/workload.js';
import { markdownTable, mergeRows, parseMarkdownTable } from './markdown-table.js';
import { insertReport, reportOf, reportText } from './report.js';

const run = (requestsPerSecond: number, cpuMicrosPerRequest: number, othersShare = 0) => ({
  requestsPerSecond,
  p50Ms: 1,
  p99Ms: 2,
  cpuMicrosPerRequest,
  serverShare: 1,
  othersShare,
});

const comparison: Comparison = {
  kind: 'comparison',
  id: 'hot',
  title: 'one | token',
  connections: 1,
  reach: [{ against: 'limit', atLeast: 0.9 }],
  targets: async () => [],
};
const figures: FigureWorkload = {
  kind: 'figures',
  id: 'start',
  title: 'cold start',
  measure: async () => [],
};

const results = {
  comparisons: {
    hot: {
      limit: [run(1000, 10), run(2000, 10), run(1000, 10)],
      vestibule: [run(800, 12.5, 0.01), run(1900, 10.4), run(950, 10.5)],
      peer: [run(100, 100), run(100, 104), run(100, 105)],
    },
  },
  figures: { start: [{ name: 'a', values: [1.23456, 1, 2], unit: 's' as const, atMost: 1.5 }] },
  unavailable: {},
};

it('shows the median with its range, which ratio counts, and whether the target is met', () => {
  const { comparisons } = reportOf([comparison], results, 'machine');
  expect(comparisons).toEqual([
    ['`hot`', 'bare Fastify', '**0.95 (0.8–0.95)**', '0.952 (0.8–0.962)', '950', '10.5', '≥ 0.9', 'yes'],
    ['`hot`', 'peer', '9.5 (8–19)', '10 (8–10)', '950', '10.5', '', ''].map((cell, i) =>
      i === 2 ? '**9.5 (8–19)**' : cell,
    ),
  ]);
});

it('names the baseline and the work that it does for each request', () => {
  const { limit, vestibule } = results.comparisons.hot;
  const hot = { vestibule, 'limit with one GET': limit, 'limit with one SELECT, one UPDATE': limit };
  const report = reportOf([comparison], { ...results, comparisons: { hot } }, 'machine');
  expect(report.comparisons.map(([, against]) => against)).toEqual([
    'bare Fastify + 1 GET',
    'bare Fastify + 1 SELECT + 1 UPDATE',
  ]);
});

it('does not report a target as met that is missed by a little', () => {
  const stricter = { ...comparison, reach: [{ against: 'limit', atLeast: 0.951 }] };
  const [row] = reportOf([stricter], results, 'machine').comparisons;
  expect(row?.at(-1)).toBe('no');
  const late = { start: [{ name: 'a', values: [1.51], unit: 's' as const, atMost: 1.5 }] };
  const [start] = reportOf([figures], { ...results, figures: late }, 'machine').figures;
  expect(start?.at(-1)).toBe('no');
});

it('shows figures in their unit', () => {
  const [row] = reportOf([figures], results, 'machine').figures;
  expect(row).toEqual(['`start`', 'a', '1.23 (1–2) s', '≤ 1.5 s', 'yes']);
});

it('shows what a figure must reach', () => {
  const rate = (value: number) => ({
    name: 'rate',
    values: [value],
    unit: 'calls/s' as const,
    atLeast: 500_000,
  });
  const rows = reportOf(
    [figures],
    { ...results, figures: { start: [rate(500_000), rate(499_999)] } },
    'machine',
  );
  expect(rows.figures.map((row) => row.slice(2))).toEqual([
    ['500,000 (500,000–500,000) calls/s', '≥ 500,000 calls/s', 'yes'],
    ['499,999 (499,999–499,999) calls/s', '≥ 500,000 calls/s', 'no'],
  ]);
});

it('reports why a workload has no result, and how much other processes disturbed', () => {
  const unavailable = { start: 'not available yet' };
  const report = reportOf([comparison, figures], { ...results, unavailable }, 'machine');
  expect(report.figures).toEqual([['`start`', 'not available yet']]);
  expect(report.notes).toEqual([
    "Other processes took 0.0 % of the server's core in the median run, 1.0 % at most.",
  ]);
});

it('reads its own tables back, whatever the cells contain', () => {
  const heads = ['a', 'b', 'c'];
  const rows = [
    ['x', '', 'a | b'],
    ['', '', ''],
    ['1', '2', '3'],
  ];
  const text = `before\n${markdownTable(heads, rows)}\n\nafter | x |\n`;
  expect(parseMarkdownTable(heads, text)).toEqual(rows);
  expect(parseMarkdownTable(['other'], text)).toEqual([]);
});

it('replaces the rows of workloads that were run, keeps those of others, drops unknown ones', () => {
  const older = [
    ['`a`: old', 'limit'],
    ['`a`: old', 'peer'],
    ['`b`: kept', 'limit'],
    ['`gone`: x', 'limit'],
  ];
  const newer = [
    ['`c`: new', 'limit'],
    ['`a`: new', 'limit'],
  ];
  expect(mergeRows(older, newer, ['a', 'b', 'c'])).toEqual([
    ['`a`: new', 'limit'],
    ['`b`: kept', 'limit'],
    ['`c`: new', 'limit'],
  ]);
});

it('keeps rows of other workloads, and those of another machine under its name', () => {
  const empty = 'Title\n<!-- bench:begin -->\n<!-- bench:end -->\nEnd\n';
  const workloads = [comparison, figures];
  const first = insertReport(empty, reportOf([comparison], results, 'this machine'), workloads);
  const report = reportOf([figures], results, 'this machine');
  const both = insertReport(first, report, workloads);
  expect(both).toContain('`hot`');
  expect(both).toContain('`start`');
  expect(both).toContain('Other processes took');
  expect(both).toMatch(/^Title\n[\s\S]*End\n$/);
  expect(insertReport(both, report, workloads)).toBe(both);
  const elsewhere = insertReport(both, { ...report, machine: 'another machine' }, workloads);
  const [, another = '', original = '', descriptions = ''] = elsewhere.split('### ');
  expect(another).toMatch(/^another machine\n[\s\S]*`start`/);
  expect(another).not.toContain('`hot`');
  expect(original).toMatch(/^this machine\n[\s\S]*`hot`/);
  expect(original).not.toContain('`start`');
  expect(descriptions).toMatch(
    /^Workloads\n\n- `hot`: one \| token\n- `start`: cold start\n\n<!-- bench:end/,
  );
  expect(insertReport(elsewhere, { ...report, machine: 'another machine' }, workloads)).toBe(elsewhere);
  const again = insertReport(elsewhere, reportOf([comparison], results, 'another machine'), workloads);
  expect(again).not.toContain('this machine');
  expect(reportText(report)).not.toContain('undefined');
  expect(() => insertReport('no marks', report, workloads)).toThrow();
});
