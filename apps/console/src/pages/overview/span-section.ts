import { html, type Markup } from '@vestibule/http/pages';
import type { FigureSpan } from '../../figures/figure-window.js';
import type { OutcomeCounts } from '../../figures/figures.js';
import type { SpanFigures } from '../../figures/overview-figures.js';
import { dataTable, instant, joined, section } from '../../frame/parts.js';
import { countText, total } from '../../live/live-figures.js';
import { type PlotSeries, plotFigure } from './plot.js';

const TITLES = { hour: 'Last hour', day: 'Last day' } as const;

/** Steps that one row of the table sums up: ten minutes, and two hours. */
const STEPS_OF_ROW = { hour: 5, day: 4 } as const;

/** Series of a plot that have a place of their own; the others are summed up. */
const MAX_OUTCOMES = 5;

/** Renders the figures of a span of time as plots, and as a table for those who do not see them. */
export function spanSection(span: FigureSpan, figures: SpanFigures): Markup {
  const { window, activity } = figures;
  const plot = (name: string, title: string, series: readonly PlotSeries[]) =>
    plotFigure({ id: `${span}-${name}`, title, window, series });
  return section(
    TITLES[span],
    joined(
      html`<div class="columns">
${plot('registrations', 'Registrations', [{ name: 'Clients', counts: activity.registered }])}
${introspectionsPart(span, figures)}
${plot('logouts', 'Logouts', [{ name: 'Sessions with clients to notify', counts: activity.endedSessions }])}
${plot('deliveries', 'Logout notifications', [
  { name: 'Delivered', counts: activity.delivered },
  { name: 'Given up', counts: activity.givenUp },
])}
</div>`,
      html`<details><summary>The figures as a table</summary>
${figuresTable(span, figures)}</details>`,
    ),
  );
}

function introspectionsPart(span: FigureSpan, { window, introspections }: SpanFigures): Markup {
  if (introspections === undefined)
    return html`<div><p><strong>Introspections</strong></p>
<p class="hint">To see introspections by outcome, set CONSOLE_PROMETHEUS_URL to the address of the Prometheus server that scrapes the services.</p></div>`;
  if ('problem' in introspections)
    return html`<div><p><strong>Introspections</strong></p>
<p class="alert">${introspections.problem}</p></div>`;
  const series = outcomeSeries(introspections.value);
  return plotFigure({ id: `${span}-introspections`, title: 'Introspections by outcome', window, series });
}

/** The outcomes that occurred: `active` first, then those that occurred most. */
function outcomeSeries(outcomes: OutcomeCounts): readonly PlotSeries[] {
  const all = [...outcomes]
    .map(([outcome, counts]) => ({ outcome, counts, sum: total(counts) }))
    .filter(({ outcome, sum }) => outcome === 'active' || sum > 0)
    .toSorted((one, other) => rank(other) - rank(one));
  const shown = all.slice(0, MAX_OUTCOMES);
  const rest = all.slice(MAX_OUTCOMES);
  const named = shown.map(({ outcome, counts }) => ({ name: outcome.replaceAll('_', ' '), counts }));
  if (rest.length === 0) return named.length === 0 ? [{ name: 'active', counts: [] }] : named;
  return [...named, { name: 'other', counts: summed(rest.map(({ counts }) => counts)) }];
}

function rank({ outcome, sum }: { readonly outcome: string; readonly sum: number }): number {
  return outcome === 'active' ? Number.POSITIVE_INFINITY : sum;
}

function summed(all: readonly (readonly number[])[]): readonly number[] {
  return (all[0] ?? []).map((_, step) => total(all.map((counts) => counts[step] ?? 0)));
}

interface TableRow {
  readonly startsAt: Date;
  readonly sums: readonly number[];
}

function figuresTable(span: FigureSpan, { window, activity, introspections }: SpanFigures): Markup {
  const outcomes: OutcomeCounts =
    introspections !== undefined && 'value' in introspections ? introspections.value : new Map();
  const inactive = [...outcomes].filter(([outcome]) => outcome !== 'active').map(([, counts]) => counts);
  const columns: readonly (readonly [string, readonly number[]])[] = [
    ['Registrations', activity.registered],
    ...(outcomes.size === 0
      ? []
      : ([
          ['Active', outcomes.get('active') ?? []],
          ['Inactive', summed(inactive)],
        ] as const)),
    ['Sessions', activity.endedSessions],
    ['Delivered', activity.delivered],
    ['Given up', activity.givenUp],
  ];
  const length = STEPS_OF_ROW[span];
  const rows = Array.from({ length: window.steps / length }, (_, row): TableRow => {
    const first = row * length;
    return {
      startsAt: new Date((window.startsAt + first * window.stepSeconds) * 1000),
      sums: columns.map(([, counts]) => total(counts.slice(first, first + length))),
    };
  });
  return dataTable(
    `Figures in steps of ${String((length * window.stepSeconds) / 60)} minutes`,
    [
      { title: 'From (UTC)', cell: ({ startsAt }: TableRow) => instant(startsAt) },
      ...columns.map(([title], index) => ({
        title,
        isNumber: true,
        cell: ({ sums }: TableRow) => countText(sums[index] ?? 0),
      })),
    ],
    rows,
    'There are no figures.',
  );
}
