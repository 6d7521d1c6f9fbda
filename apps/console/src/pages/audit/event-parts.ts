import type { AuditRecord } from '@vestibule/database/audit';
import { html, type Markup } from '@vestibule/http/pages';
import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol/json';
import { addressWith } from '../../frame/addresses.js';
import { nameText } from '../../frame/name-text.js';
import type { Cell } from '../../frame/parts.js';
import { shownText } from '../../frame/shown-text.js';
import { AUDIT_PATH } from './audit-deps.js';

/** Characters of a name in a table. */
const CELL_LENGTH = 80;
/** Digits of a digest that distinguish it from others. */
const DIGEST_LENGTH = 12;

/** Address of the page of an event. */
export function eventAddress(id: string): string {
  return `${AUDIT_PATH}/events/${id}`;
}

/** Renders a link to the events with the same actor, action or target. */
export function filterLink(name: 'actor' | 'action' | 'target', value: string, length = CELL_LENGTH): Markup {
  return nameLink(addressWith(AUDIT_PATH, { [name]: value }), value, length);
}

/** Renders a name as a link that can stand in a narrow column. */
export function nameLink(address: string, name: string, length = CELL_LENGTH): Markup {
  return html`<a class="name" href="${address}">${nameText(shownText(name, length))}</a>`;
}

/** Renders the name of a recorded member, which can stand in a narrow column. */
export function memberName(name: string, length = CELL_LENGTH): Markup {
  return html`<code class="name">${nameText(shownText(name, length))}</code>`;
}

/** Renders how the state changed. The digests tell whether a state differs, and nothing of the state. */
export function stateChange({ before, after }: AuditRecord): Cell {
  if (before === after) return before === undefined ? undefined : html`<span class="name">unchanged</span>`;
  if (before === undefined) return html`<span class="name">created:</span> ${digest(after)}`;
  if (after === undefined) return html`<span class="name">ended:</span> ${digest(before)}`;
  return html`${digest(before)} → ${digest(after)}`;
}

function digest(text = ''): Markup {
  return html`<code>${text.slice(0, DIGEST_LENGTH)}</code>`;
}

/** Returns the members that a change made different, by name; `undefined` if the details are of another kind. */
export function changesOf(details: JsonValue): JsonObject | undefined {
  const changes = isJsonObject(details) ? details['changes'] : undefined;
  return changes !== undefined && isJsonObject(changes) ? changes : undefined;
}

/** Whether the values of a change are recorded: of custom data, of contacts and of long values only the names are. */
export function isRecorded(change: JsonValue | undefined): change is JsonObject {
  return change !== undefined && isJsonObject(change) && Object.keys(change).length > 0;
}

/** Returns a recorded value as text: JSON, unless it is a text itself. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
