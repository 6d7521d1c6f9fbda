import { html, type Markup } from '@vestibule/http/pages';
import { shownText } from './shown-text.js';

/** A cell of a table or a value of a list: text, whose invisible characters are escaped, or markup such as a link. */
export type Cell = string | number | Markup | undefined;

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => Cell;
  /** Numbers stand at the end of their cell. Default false. */
  readonly isNumber?: boolean;
}

/** A table with this many columns, or more, needs a wider screen than others. */
const MANY_COLUMNS = 5;

/**
 * Renders a table, or a sentence if there are no rows. On narrow screens each row becomes a list with the titles of the
 * columns; on screens of medium width too, if there are many.
 * @param caption what the rows are; announced by screen readers
 */
export function dataTable<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  none: string,
): Markup {
  if (rows.length === 0) return html`<p class="none">${none}</p>`;
  const heads = columns.map(({ title, isNumber }) => html`<th scope="col"${numeric(isNumber)}>${title}</th>`);
  const lines = rows.map(
    (row) =>
      html`<tr>${columns.map(({ title, cell, isNumber }) => html`<td data-title="${title}"${numeric(isNumber)}>${written(cell(row))}</td>`)}</tr>
`,
  );
  return html`<table${columns.length < MANY_COLUMNS ? undefined : html` class="many"`}>
<caption>${caption}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>
${lines}</tbody>
</table>`;
}

/** Renders names with their values. Absent values are left out. */
export function valueList(values: Readonly<Record<string, Cell>>): Markup {
  const items = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<div><dt>${shownText(name)}</dt><dd>${written(value)}</dd></div>\n`],
  );
  return html`<dl>${items}</dl>`;
}

/** Renders a link within the console. */
export function link(address: string, text: string): Markup {
  return html`<a href="${address}">${shownText(text, Number.POSITIVE_INFINITY)}</a>`;
}

/** Renders an instant, in UTC, as `2026-01-31 12:00:00`. */
export function instant(at: Date | string): Markup {
  const iso = typeof at === 'string' ? at : at.toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')}</time>`;
}

/** Renders an instant in seconds since the Unix epoch like {@link instant}. */
export function instantAt(seconds: number): Markup {
  return instant(new Date(seconds * 1000));
}

/** Renders a state as a word with a colour that supports it. */
export function stateWord(word: string, tone: 'good' | 'waiting' | 'bad'): Markup {
  return html`<span class="state ${tone}">${word}</span>`;
}

/** Renders a section with its heading. */
export function section(title: string, content: Markup | undefined): Markup {
  return html`<section>
<h2>${title}</h2>
${content}
</section>`;
}

/** Joins parts, leaving out those that are absent. */
export function joined(...parts: readonly (Markup | undefined)[]): Markup {
  return html`${parts.filter((part) => part !== undefined)}`;
}

function written(cell: Cell): string | Markup | undefined {
  if (typeof cell === 'string') return shownText(cell, Number.POSITIVE_INFINITY);
  return typeof cell === 'number' ? String(cell) : cell;
}

function numeric(isNumber = false): Markup | undefined {
  return isNumber ? html` class="number"` : undefined;
}
