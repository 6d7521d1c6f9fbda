import { html, type Markup } from '@vestibule/http/pages';
import type { FigureWindow } from '../../figures/figure-window.js';
import { instantAt } from '../../frame/parts.js';
import { countText, total } from '../../live/live-figures.js';

/** Counts of one kind, one for each step of the window of their plot. */
export interface PlotSeries {
  readonly name: string;
  readonly counts: readonly number[];
}

/** Counts over time, as stacked bars. */
export interface Plot {
  /** Unique on its page. */
  readonly id: string;
  readonly title: string;
  readonly window: FigureWindow;
  /** At most six, from the bottom of the bars up. */
  readonly series: readonly PlotSeries[];
}

const WIDTH = 480;
const HEIGHT = 80;
/** Of a step, as the gap between bars. */
const GAP = 0.15;

/** Renders a plot with its description for screen readers, its span of time and the total of each series. */
export function plotFigure({ id, title, window, series }: Plot): Markup {
  const sums = stackedSums(series, window.steps);
  const most = Math.max(0, ...(sums.at(-1) ?? []));
  const paths = series.map((_, index) => {
    const bars = barsOf(sums[index - 1] ?? [], sums[index] ?? [], { most, steps: window.steps });
    return html`<path class="s${String(index)}" d="${bars}"/>`;
  });
  const legend = series.map(
    ({ name, counts }, index) =>
      html`<li><span class="key s${String(index)}"></span>${name}: ${countText(total(counts))}</li>\n`,
  );
  return html`<figure class="plot">
<figcaption>${title}</figcaption>
<svg viewBox="0 0 ${String(WIDTH)} ${String(HEIGHT)}" preserveAspectRatio="none" role="img" aria-labelledby="${id}-title ${id}-text">
<title id="${id}-title">${title}</title>
<desc id="${id}-text">${description(series, most, window)}</desc>
${paths}</svg>
<p class="ends">${instantAt(window.startsAt)} ${instantAt(window.startsAt + window.steps * window.stepSeconds)}</p>
<ul class="legend">
${legend}</ul>
</figure>`;
}

function description(series: readonly PlotSeries[], most: number, { stepSeconds }: FigureWindow): string {
  const totals = series.map(({ name, counts }) => `${name} ${countText(total(counts))}`);
  return `${totals.join(', ')}. Most in ${String(stepSeconds / 60)} minutes: ${countText(most)}.`;
}

/** For each series and step, the sum of the counts up to and including this series. */
function stackedSums(series: readonly PlotSeries[], steps: number): readonly (readonly number[])[] {
  const sums: (readonly number[])[] = [];
  for (const { counts } of series) {
    const below = sums.at(-1);
    sums.push(Array.from({ length: steps }, (_, step) => (below?.[step] ?? 0) + (counts[step] ?? 0)));
  }
  return sums;
}

/** The path of the bars between two sums of each step. */
function barsOf(
  below: readonly number[],
  above: readonly number[],
  { most, steps }: { readonly most: number; readonly steps: number },
): string {
  const [step, scale] = [WIDTH / steps, HEIGHT / Math.max(1, most)];
  const width = rounded(step * (1 - GAP));
  return above
    .map((to, index) => {
      const from = below[index] ?? 0;
      if (to <= from) return '';
      return `M${rounded(index * step)} ${rounded(HEIGHT - from * scale)}h${width}V${rounded(HEIGHT - to * scale)}h-${width}z`;
    })
    .join('');
}

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10);
}
