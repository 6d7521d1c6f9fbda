import {
  type AuditPage,
  type AuditPosition,
  type AuditRecord,
  type ListedEvents,
  SEARCHED_EVENTS,
} from '@vestibule/database/audit';
import { hiddenFields, html, type Markup } from '@vestibule/http/pages';
import { Type } from 'typebox';
import { addressWith, givenParameters } from '../../frame/addresses.js';
import { positionText, readPosition } from '../../frame/audit-position.js';
import { type ConsolePage, type ConsoleRoute, consolePage } from '../../frame/console-route.js';
import { actionForm } from '../../frame/forms.js';
import { instant, joined, section } from '../../frame/parts.js';
import { listNavigation } from '../../frame/search-form.js';
import type { Visit } from '../../frame/visit.js';
import { AUDIT_PATH, type AuditPagesDeps } from './audit-deps.js';
import { FilterFields, filterForm, readFilter, type TypedFilter } from './audit-filter.js';
import { eventTable } from './event-table.js';
import { verifyForm } from './verify-form.js';

/** Events on a page. */
const PAGE = 25;

/** The list of audit events, newest first, with filters. */
export function eventsPage({ store }: AuditPagesDeps): ConsoleRoute {
  const { listedEvents } = store.database;
  return consolePage({
    path: AUDIT_PATH,
    query: Type.Object({
      ...FilterFields.properties,
      older: Type.Optional(Type.String()),
      newer: Type.Optional(Type.String()),
    }),
    show: async (visit, { older, newer, ...typed }): Promise<ConsolePage> => {
      const read = readFilter(typed);
      const start = readStart(older, newer);
      if ('errors' in read || start === undefined)
        return {
          title: 'Audit',
          status: 400,
          content: filterForm(typed, 'errors' in read ? read.errors : UNKNOWN_START),
        };
      const listing = { filter: read.filter, ...start, limit: PAGE };
      return eventsView(visit, typed, start, await listedEvents.list(listing));
    },
  });
}

const UNKNOWN_START = { general: 'The address is not one of this list.' };

type Start = Pick<Parameters<ListedEvents['list']>[0], 'direction' | 'start'>;

function eventsView(visit: Visit, typed: TypedFilter, start: Start, page: AuditPage): ConsolePage {
  const isOlder = start.direction === 'older';
  const events = isOlder ? page.events : page.events.toReversed();
  const filters = givenParameters(typed);
  const beside = (name: 'older' | 'newer', position: AuditPosition | undefined) =>
    position && addressWith(AUDIT_PATH, { ...filters, [name]: positionText(position) });
  const onward = beside(start.direction, page.end);
  const back = beside(isOlder ? 'newer' : 'older', startOf(isOlder ? events[0] : events.at(-1), start));
  return {
    title: 'Audit',
    content: joined(
      filterForm(typed),
      section(
        'Events',
        joined(
          eventTable('Events, newest first, in UTC', events),
          page.end && page.events.length < PAGE ? searched(page.end) : undefined,
          listNavigation(isOlder ? { newer: back, older: onward } : { newer: onward, older: back }),
          actionForm(visit, {
            action: `${AUDIT_PATH}/export`,
            role: 'operator',
            content: html`${hiddenFields(filters)}<p class="hint">All events of these filters, oldest first, one JSON object per line.</p>`,
            button: 'Export',
          }),
        ),
      ),
      section('Hash chain', verifyForm(visit, {})),
    ),
  };
}

/** Where the way back begins: not on the first page, before which there is nothing. */
function startOf(edge: AuditRecord | undefined, { start }: Start): AuditPosition | undefined {
  if (start === undefined) return undefined;
  return edge === undefined ? start : { occurredAtMs: Date.parse(edge.occurredAt), id: edge.id };
}

function searched({ occurredAtMs }: AuditPosition): Markup {
  return html`<p class="hint">${String(SEARCHED_EVENTS)} events were searched, as far as ${instant(new Date(occurredAtMs))}. The next page searches on.</p>`;
}

/** Reads where the page begins; `undefined` if the address is not one of the list. */
function readStart(older: string | undefined, newer: string | undefined): Start | undefined {
  const text = older ?? newer;
  if (text === undefined) return { direction: 'older' };
  const start = readPosition(text);
  return start && { direction: older === undefined ? 'newer' : 'older', start };
}
