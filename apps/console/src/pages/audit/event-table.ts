import type { AuditRecord } from '@vestibule/database/audit';
import { html, type Markup } from '@vestibule/http/pages';
import { isJsonObject, type JsonValue } from '@vestibule/protocol/json';
import { type Cell, type Column, dataTable, instant, link } from '../../frame/parts.js';
import { shownText } from '../../frame/shown-text.js';
import {
  changesOf,
  eventAddress,
  filterLink,
  isRecorded,
  memberName,
  nameLink,
  stateChange,
  textOf,
} from './event-parts.js';

/** Members and characters of a value in a table; the page of an event shows more. */
const MAX_MEMBERS = 5;
const VALUE_LENGTH = 80;

/** Renders events of any targets as a table. */
export function eventTable(caption: string, events: readonly AuditRecord[]): Markup {
  const columns = [TIME, ACTOR, ACTION, TARGET, STATE, DETAILS];
  return dataTable(caption, columns, events, 'There are no such events.');
}

/** Renders the history of one target, on a page about it, in the same way. */
export function historyTable(events: readonly AuditRecord[]): Markup {
  const columns = [TIME, ACTOR, ACTION, STATE, DETAILS];
  return dataTable('The latest event comes first.', columns, events, 'There are no events.');
}

const TIME: Column<AuditRecord> = {
  title: 'Time',
  cell: ({ id, occurredAt }) => html`<a href="${eventAddress(id)}">${instant(occurredAt)}</a>`,
};
const ACTOR: Column<AuditRecord> = { title: 'Actor', cell: ({ actor }) => actorCell(actor) };
const ACTION: Column<AuditRecord> = { title: 'Action', cell: ({ action }) => filterLink('action', action) };
const TARGET: Column<AuditRecord> = { title: 'Target', cell: ({ target }) => filterLink('target', target) };
const STATE: Column<AuditRecord> = { title: 'State', cell: stateChange };
const DETAILS: Column<AuditRecord> = { title: 'Details', cell: detailsCell };

const INITIAL_TOKEN = /^initial_access_token:([0-9a-f]{8})$/;

/** An initial access token has a page of its own. */
function actorCell(actor: string): Markup {
  const [, id] = INITIAL_TOKEN.exec(actor) ?? [];
  return id === undefined ? filterLink('actor', actor) : nameLink(`/initial-tokens/${id}`, actor);
}

/** The members that a change made different, with both values, or what else was recorded. */
function detailsCell({ id, details }: AuditRecord): Cell {
  if (details === undefined) return undefined;
  const changes = changesOf(details);
  if (changes !== undefined)
    return memberList(id, Object.entries(changes), (change) =>
      isRecorded(change)
        ? html`${shownValue(change['before'])} → ${shownValue(change['after'])}`
        : 'not recorded',
    );
  if (isJsonObject(details)) return memberList(id, Object.entries(details), shownValue);
  return shownValue(details);
}

function memberList(
  id: string,
  members: readonly (readonly [name: string, value: JsonValue])[],
  valueCell: (value: JsonValue) => Markup | string,
): Markup {
  const items = members
    .slice(0, MAX_MEMBERS)
    .map(([name, value]) => html`<li>${memberName(name, VALUE_LENGTH)}: ${valueCell(value)}</li>\n`);
  const more = members.length - items.length;
  const rest = more > 0 ? html`<li>${link(eventAddress(id), `${more} more`)}</li>\n` : undefined;
  return html`<ul>${items}${rest}</ul>`;
}

function shownValue(value: JsonValue | undefined): Markup {
  if (value === undefined) return html`<span class="none">none</span>`;
  return html`<code>${shownText(textOf(value), VALUE_LENGTH)}</code>`;
}
