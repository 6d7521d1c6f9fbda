import { countingSpread, type Ratio, ratioOf } from '../measure/comparison.js';
import type { Measurement } from '../measure/measurement.js';
import { type Spread, spreadOf } from '../measure/statistics.js';
import { type Comparison, type Figure, type FigureWorkload, OURS } from '../workloads/workload.js';
import type { ComparisonRuns } from './results.js';

/** A row of a table. The first two cells identify it. */
export type Row = readonly string[];

/** The heads of the table of comparisons. */
export const COMPARISON_HEADS: Row = [
  'workload',
  'against',
  'throughput ratio',
  'CPU ratio',
  'Vestibule, req/s',
  'Vestibule, µs CPU',
  'target',
  'met',
];

/** The heads of the table of figures. */
export const FIGURE_HEADS: Row = ['workload', 'figure', 'measured', 'target', 'met'];

/** One row for each server compared with Vestibule. */
export function comparisonRows(comparison: Comparison, runs: ComparisonRuns): readonly Row[] {
  const ours = runs[OURS] ?? [];
  return Object.entries(runs)
    .filter(([name, others]) => name !== OURS && ours.length > 0 && others.length > 0)
    .map(([name, others]) => [
      firstCell(comparison),
      serverName(name),
      ...ratioCells(ratioOf(ours, others)),
      whole(spreadOf(ours.map((run) => run.requestsPerSecond)).median),
      cpuCell(ours),
      ...targetCells(
        comparison.reach.find(({ against }) => against === name)?.atLeast,
        countingSpread(ratioOf(ours, others)).median,
      ),
    ]);
}

/** One row for each figure. */
export function figureRows(workload: FigureWorkload, figures: readonly Figure[]): readonly Row[] {
  return figures.map((figure) => {
    const { name, values, unit } = figure;
    const spread = spreadOf(values);
    return [
      firstCell(workload),
      name,
      `${spreadText(spread)} ${unit}`,
      ...figureTargetCells(figure, spread.median),
    ];
  });
}

/** The row of a workload without a result. */
export function unavailableRow(workload: Comparison | FigureWorkload, reason: string): Row {
  return [firstCell(workload), reason];
}

function firstCell({ id }: { readonly id: string }): string {
  return `\`${id}\``;
}

/** The name of a server in the report. Results files call the bare Fastify route `limit`. */
function serverName(target: string): string {
  return target
    .replace(/^limit/, 'bare Fastify')
    .replace(' with one ', ' + 1 ')
    .replaceAll(', one ', ' + 1 ');
}

/** The ratio that counts is in bold. */
function ratioCells({ throughput, cpu, counts }: Ratio): Row {
  const cell = (spread: Spread, isCounting: boolean) =>
    isCounting ? `**${spreadText(spread)}**` : spreadText(spread);
  return [
    cell(throughput, counts === 'throughput'),
    cpu === undefined ? 'unknown' : cell(cpu, counts === 'CPU'),
  ];
}

function targetCells(atLeast: number | undefined, measured: number): Row {
  return atLeast === undefined ? ['', ''] : [`≥ ${atLeast}`, measured >= atLeast ? 'yes' : 'no'];
}

function figureTargetCells({ unit, atMost, atLeast }: Figure, measured: number): Row {
  if (atMost !== undefined) return [`≤ ${atMost} ${unit}`, measured <= atMost ? 'yes' : 'no'];
  if (atLeast !== undefined)
    return [`≥ ${atLeast.toLocaleString('en')} ${unit}`, measured >= atLeast ? 'yes' : 'no'];
  return ['', ''];
}

function cpuCell(runs: readonly Measurement[]): string {
  const known = runs.flatMap(({ cpuMicrosPerRequest: micros }) => (micros === undefined ? [] : [micros]));
  return known.length === 0 ? 'unknown' : significant(spreadOf(known).median);
}

/** Median, with the least and the greatest value in parentheses. */
function spreadText({ median, min, max }: Spread): string {
  return `${significant(median)} (${significant(min)}–${significant(max)})`;
}

/** Three significant digits, but never fewer than the integer part has. */
function significant(value: number): string {
  return value >= 100 ? whole(value) : String(Number(value.toPrecision(3)));
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
