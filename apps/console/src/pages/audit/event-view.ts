import type { AuditRecord } from '@vestibule/database/audit';
import { html, type Markup } from '@vestibule/http/pages';
import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol/json';
import { addressWith } from '../../frame/addresses.js';
import { valueText } from '../../frame/difference.js';
import { type Cell, type Column, dataTable, instant, link, valueList } from '../../frame/parts.js';
import { shownText } from '../../frame/shown-text.js';
import { AUDIT_PATH } from './audit-deps.js';

/** Characters of a text in the list; the page of an event shows more. */
const CELL_LENGTH = 80;
const DETAILS_LENGTH = 160;
const WHOLE_LENGTH = 8_000;
/** Digits of a digest that distinguish it from others. */
const DIGEST_LENGTH = 12;

/** Renders events as a table. */
export function eventTable(caption: string, events: readonly AuditRecord[]): Markup {
  return dataTable(caption, COLUMNS, events, 'There are no such events.');
}

const COLUMNS: readonly Column<AuditRecord>[] = [
  {
    title: 'Time',
    cell: ({ id, occurredAt }) => html`<a href="${eventAddress(id)}">${instant(occurredAt)}</a>`,
  },
  { title: 'Actor', cell: ({ actor }) => filterLink('actor', actor) },
  { title: 'Action', cell: ({ action }) => filterLink('action', action) },
  { title: 'Target', cell: ({ target }) => filterLink('target', target) },
  { title: 'State', cell: stateChange },
  { title: 'Details', cell: ({ details }) => (details === undefined ? undefined : detailsText(details)) },
];

/** Address of the page of an event. */
export function eventAddress(id: string): string {
  return `${AUDIT_PATH}/events/${id}`;
}

/** Renders everything about an event. */
export function eventFacts(event: AuditRecord): Markup {
  const { actor, action, target, occurredAt, before, after, position, hash } = event;
  return valueList({
    Time: instant(occurredAt),
    Actor: filterLink('actor', actor, WHOLE_LENGTH),
    Action: filterLink('action', action, WHOLE_LENGTH),
    Target: filterLink('target', target, WHOLE_LENGTH),
    State: stateChange(event),
    'Digest before': before && html`<code>${before}</code>`,
    'Digest after': after && html`<code>${after}</code>`,
    'Position in the chain': position ?? 'not chained yet',
    Hash: hash && html`<code>${hash}</code>`,
  });
}

/** Renders the details of an event: the members that a change made different, or what else was recorded. */
export function eventDetails({ details }: AuditRecord): Markup {
  if (details === undefined) return html`<p class="none">The event has no details.</p>`;
  const changes = changesOf(details);
  if (changes !== undefined) return changesTable(changes);
  const members: readonly (readonly [string, JsonValue])[] = isJsonObject(details)
    ? Object.entries(details)
    : [['value', details]];
  return dataTable(
    'Details',
    [
      { title: 'Member', cell: ([name]) => html`<code>${shownText(name)}</code>` },
      { title: 'Value', cell: ([, value]) => html`<code>${shownText(textOf(value), WHOLE_LENGTH)}</code>` },
    ],
    members,
    'The event has no details.',
  );
}

function changesOf(details: JsonValue): JsonObject | undefined {
  const changes = isJsonObject(details) ? details['changes'] : undefined;
  return changes !== undefined && isJsonObject(changes) ? changes : undefined;
}

/** Of custom data, of contacts and of long values only the names are recorded. */
function changesTable(changes: JsonObject): Markup {
  return dataTable<readonly [string, JsonValue | undefined]>(
    'Members that differ',
    [
      { title: 'Member', cell: ([name]) => html`<code>${shownText(name)}</code>` },
      { title: 'Before', cell: ([, change]) => stateOf(change, 'before') },
      { title: 'After', cell: ([, change]) => stateOf(change, 'after') },
    ],
    Object.entries(changes),
    'Nothing differs.',
  );
}

function stateOf(change: JsonValue | undefined, side: 'before' | 'after'): Cell {
  if (change === undefined || !isJsonObject(change) || Object.keys(change).length === 0)
    return 'not recorded';
  return valueText(change[side]);
}

function filterLink(name: 'actor' | 'action' | 'target', value: string, length = CELL_LENGTH): Markup {
  return link(addressWith(AUDIT_PATH, { [name]: value }), shownText(value, length));
}

/** The digests tell whether a state differs, and nothing of the state. */
function stateChange({ before, after }: AuditRecord): Cell {
  if (before === after) return before === undefined ? undefined : 'unchanged';
  if (before === undefined) return html`created: ${digest(after)}`;
  if (after === undefined) return html`ended: ${digest(before)}`;
  return html`${digest(before)} → ${digest(after)}`;
}

function digest(text = ''): Markup {
  return html`<code>${text.slice(0, DIGEST_LENGTH)}</code>`;
}

function detailsText(details: JsonValue): Markup {
  const changes = changesOf(details);
  if (changes !== undefined)
    return html`changed: <code>${shownText(Object.keys(changes).join(', '), DETAILS_LENGTH)}</code>`;
  return html`<code>${shownText(textOf(details), DETAILS_LENGTH)}</code>`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
