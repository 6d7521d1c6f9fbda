import { html } from '@vestibule/http/pages';
import { DomainError } from '@vestibule/protocol';
import { Type } from 'typebox';
import { type ConsoleRoute, consolePage } from '../../frame/console-route.js';
import { joined, section } from '../../frame/parts.js';
import { AUDIT_PATH, type AuditPagesDeps } from './audit-deps.js';
import { eventDetails, eventFacts } from './event-view.js';

const ID = /^[1-9]\d{0,17}$/;

/** The page of one audit event. */
export function eventPage({ store }: AuditPagesDeps): ConsoleRoute {
  return consolePage({
    path: `${AUDIT_PATH}/events/:id`,
    query: Type.Object({}),
    show: async ({ param }) => {
      const id = param('id');
      const event = ID.test(id) ? await store.database.listedEvents.find(id) : undefined;
      if (event === undefined) throw new DomainError('not_found', 'There is no such event.');
      return {
        title: `Event ${id}`,
        content: joined(
          section('What happened', eventFacts(event)),
          section('Details', eventDetails(event)),
          html`<p><a href="${AUDIT_PATH}">All events</a></p>`,
        ),
      };
    },
  });
}
