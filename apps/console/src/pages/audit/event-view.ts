import type { AuditRecord } from '@vestibule/database/audit';
import { html, type Markup } from '@vestibule/http/pages';
import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol/json';
import { valueText } from '../../frame/difference.js';
import { type Cell, dataTable, instant, valueList } from '../../frame/parts.js';
import { shownText } from '../../frame/shown-text.js';
import { changesOf, filterLink, isRecorded, memberName, stateChange, textOf } from './event-parts.js';

const WHOLE_LENGTH = 8_000;
const MEMBER_LENGTH = 200;

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
      { title: 'Member', cell: ([name]) => memberName(name, MEMBER_LENGTH) },
      { title: 'Value', cell: ([, value]) => html`<code>${shownText(textOf(value), WHOLE_LENGTH)}</code>` },
    ],
    members,
    'The event has no details.',
  );
}

function changesTable(changes: JsonObject): Markup {
  return dataTable<readonly [string, JsonValue | undefined]>(
    'Members that differ',
    [
      { title: 'Member', cell: ([name]) => memberName(name, MEMBER_LENGTH) },
      { title: 'Before', cell: ([, change]) => stateOf(change, 'before') },
      { title: 'After', cell: ([, change]) => stateOf(change, 'after') },
    ],
    Object.entries(changes),
    'Nothing differs.',
  );
}

function stateOf(change: JsonValue | undefined, side: 'before' | 'after'): Cell {
  return isRecorded(change) ? valueText(change[side]) : 'not recorded';
}
