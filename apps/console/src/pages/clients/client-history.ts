import type { Store } from '@vestibule/database';
import type { AuditPage, AuditPosition, AuditRecord } from '@vestibule/database/audit';
import { html, type Markup } from '@vestibule/http/pages';
import { isJsonObject, type JsonObject } from '@vestibule/protocol/json';
import { valueText } from '../../frame/difference.js';
import { type Cell, dataTable, instant, link, valueList } from '../../frame/parts.js';
import { shownText } from '../../frame/shown-text.js';
import { eventAddress } from '../audit/event-view.js';

/** A part of a history. */
export interface HistorySelection {
  /** Only events before this position. */
  readonly start?: AuditPosition | undefined;
  /** Maximum number of events. */
  readonly limit: number;
}

/** Reads the last events about a target, the latest first. Those of a deleted client stay. */
export function latestEvents(
  { database }: Store,
  target: string,
  selection: HistorySelection,
): Promise<AuditPage> {
  return database.listedEvents.list({ filter: { target }, direction: 'older', ...selection });
}

const ACTIONS: Readonly<Record<string, string>> = {
  'client.registered': 'registered',
  'client.updated': 'metadata changed',
  'client.secret_renewed': 'expired secret renewed',
  'client.secret_rotated': 'secret rotated',
  'client.secret_taken_over': 'imported secret taken over',
  'client.secret_handed_over': 'secret handed over to the files',
  'client.adopted': 'adopted by files',
  'client.registration_token_rotated': 'registration access token rotated',
  'client.approved': 'approved',
  'client.suspended': 'suspended',
  'client.resumed': 'resumed',
  'client.kept': 'used for the first time: permanent',
  'client.rejected': 'rejected',
  'client.deleted': 'deleted',
  'client.expired': 'expired',
  'client.replaced': 'replaced',
  'client.pruned': 'pruned',
  'client.blocked': 'blocked and deleted',
  'tokens.revoked': 'all tokens revoked',
  'initial_access_token.issued': 'issued',
  'initial_access_token.spent': 'used',
  'initial_access_token.revoked': 'revoked',
};

/** Renders audit events. */
export function eventsTable(caption: string, events: readonly AuditRecord[]): Markup {
  return dataTable<AuditRecord>(
    caption,
    [
      {
        title: 'Time',
        cell: ({ id, occurredAt }) => html`<a href="${eventAddress(id)}">${instant(occurredAt)}</a>`,
      },
      { title: 'What', cell: ({ action }) => ACTIONS[action] ?? action },
      { title: 'By', cell: ({ actor }) => actorCell(actor) },
      { title: 'Details', cell: details },
    ],
    events,
    'There are no events.',
  );
}

const INITIAL_TOKEN = /^initial_access_token:([0-9a-f]{8})$/;

function actorCell(actor: string): Cell {
  const [, id] = INITIAL_TOKEN.exec(actor) ?? [];
  return id === undefined ? actor : link(`/initial-tokens/${id}`, `initial access token ${id}`);
}

/** How much of a digest is shown: enough to tell states apart. */
const SHOWN_DIGITS = 12;

/** The members that differ, or other details, or whether the state is another one after the event. */
function details({ details: recorded, before, after }: AuditRecord): Cell {
  if (isJsonObject(recorded) && isJsonObject(recorded['changes'])) return changesList(recorded['changes']);
  if (isJsonObject(recorded))
    return valueList(
      Object.fromEntries(Object.entries(recorded).map(([name, value]) => [name, valueText(value)])),
    );
  if (before !== undefined && before === after) return 'the registration stayed the same';
  const shown = (digest: string | undefined) =>
    digest === undefined ? 'none' : digest.slice(0, SHOWN_DIGITS);
  if (before === undefined && after === undefined) return undefined;
  return html`state <code>${shown(before)}</code> → <code>${shown(after)}</code>`;
}

/** Differences as they are recorded: of data, of contacts and of long values only the names. */
function changesList(changes: JsonObject): Markup {
  const items = Object.entries(changes).map(([name, change]) => {
    const { before, after } = isJsonObject(change) ? change : {};
    const values =
      before === undefined && after === undefined
        ? html`another value`
        : html`${valueText(before)} → ${valueText(after)}`;
    return html`<li><code>${shownText(name)}</code>: ${values}</li>\n`;
  });
  return html`<ul>${items}</ul>`;
}
