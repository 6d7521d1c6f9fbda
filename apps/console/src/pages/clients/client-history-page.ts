import { html } from '@vestibule/http/pages';
import { DomainError, parseClientId } from '@vestibule/protocol';
import { Type } from 'typebox';
import { addressWith, clientPath } from '../../frame/addresses.js';
import { positionText, readPosition } from '../../frame/audit-position.js';
import { consolePage, type PageRoute } from '../../frame/console-route.js';
import { joined, link, section } from '../../frame/parts.js';
import { shownText } from '../../frame/shown-text.js';
import { historyTable } from '../audit/event-table.js';
import { latestEvents } from '../audit/latest-events.js';
import type { ClientsDeps } from './clients-deps.js';

/** Few enough that a page with many differences is small. */
const PAGE_SIZE = 25;
const MAX_ID_LENGTH = 120;

/** `/clients/:id/history`: the audit events of a client, also of a deleted one. */
export function clientHistoryPage({ store, registration }: ClientsDeps): PageRoute {
  return consolePage({
    path: '/clients/:id/history',
    query: Type.Object({ before: Type.Optional(Type.String()) }),
    show: async (visit, query) => {
      const id = parseClientId(visit.param('id'));
      if (id === undefined) throw new DomainError('not_found', 'There is no such client.');
      // Positions are not entered by hand: one that cannot be read is the beginning.
      const start = readPosition(query.before ?? '');
      const [client, { events, end }] = await Promise.all([
        registration.clients.find(id),
        latestEvents(store, `client:${id}`, { limit: PAGE_SIZE, start }),
      ]);
      if (client === undefined && start === undefined && events.length === 0)
        throw new DomainError('not_found', 'There is no such client.');
      return {
        title: `History of ${shownText(id, MAX_ID_LENGTH)}`,
        content: section(
          'Events',
          joined(
            html`<p>${client === undefined ? 'The client does not exist any more.' : link(clientPath(id), 'The client')}</p>`,
            historyTable(events),
            end &&
              html`<p>${link(addressWith(clientPath(id, 'history'), { before: positionText(end) }), 'Earlier events')}</p>`,
          ),
        ),
      };
    },
  });
}
