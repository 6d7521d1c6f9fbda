import { html, type Markup } from '@vestibule/http/pages';
import { isSameJson, type JsonObject } from '@vestibule/protocol/json';
import { dataTable } from './parts.js';
import { shownText } from './shown-text.js';

/** Longer values are cut; forms have them in full. */
const MAX_VALUE_LENGTH = 1_000;

/** A member that differs between two states. */
export interface MemberDifference {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the members that differ, in the order of their names. */
export function differences(before: JsonObject, after: JsonObject): readonly MemberDifference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names
    .map((name) => ({ name, before: before[name], after: after[name] }))
    .filter((member) => !isSameJson(member.before, member.after));
}

/** Renders differences as a table of members with both values. */
export function differenceTable(caption: string, changed: readonly MemberDifference[]): Markup {
  return dataTable(
    caption,
    [
      { title: 'Member', cell: ({ name }) => html`<code>${shownText(name)}</code>` },
      { title: 'Before', cell: ({ before }) => valueText(before) },
      { title: 'After', cell: ({ after }) => valueText(after) },
    ],
    changed,
    'Nothing differs.',
  );
}

/** Renders a JSON value: texts as they are, everything else as JSON. Long values are cut. */
export function valueText(value: unknown): Markup {
  if (value === undefined) return html`<span class="none">none</span>`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return html`<code>${shownText(text, MAX_VALUE_LENGTH)}</code>`;
}
