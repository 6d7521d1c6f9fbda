import type { ListedSession } from '@vestibule/database';
import { sessionTarget } from '@vestibule/database/audit';
import { html, type Markup } from '@vestibule/http/pages';
import { Type } from 'typebox';
import { addressWith } from '../../frame/addresses.js';
import { type ConsolePage, type ConsoleRoute, consolePage } from '../../frame/console-route.js';
import { includesRole } from '../../frame/operator.js';
import { joined, link, section } from '../../frame/parts.js';
import { shownText } from '../../frame/shown-text.js';
import type { Visit } from '../../frame/visit.js';
import { deliveryTable } from './delivery-table.js';
import { DELIVERIES_PATH, SESSION_PATH } from './end-users-addresses.js';
import type { EndUsersPagesDeps } from './end-users-deps.js';
import { sessionForm } from './find-end-user.js';
import { NOTICES } from './notices.js';
import { memberTable, sessionFacts } from './session-view.js';

/** Applications and notifications on a page. */
const CLIENTS = 30;
const DELIVERIES = 15;

/** The page about one session, by its identifier or the `sid` of a client; also about one that has ended. */
export function sessionPage({ store }: EndUsersPagesDeps): ConsoleRoute {
  const { listedSessions, logoutDeliveries } = store.database;
  return consolePage({
    path: SESSION_PATH,
    query: Type.Object({
      session: Type.Optional(Type.String()),
      after: Type.Optional(Type.String()),
    }),
    notices: NOTICES,
    show: async (visit, { session = '', after }): Promise<ConsolePage> => {
      if (session === '') return askAgain(session, 'Give a session.');
      const [found, deliveries] = await Promise.all([
        listedSessions.find(session, CLIENTS, after),
        logoutDeliveries.list({ session, limit: DELIVERIES }),
      ]);
      if (found === undefined && deliveries.length === 0) return notFound(visit, session);
      return {
        title: 'A session',
        content: joined(
          section(shownText(session, 100), found ? live(visit, found, store.clock) : ENDED),
          section(
            'Notifications',
            joined(
              deliveryTable(visit, deliveries, { page: 'session', filters: { session } }),
              html`<p>${link(addressWith(DELIVERIES_PATH, { session }), 'All notifications of this session')}</p>`,
            ),
          ),
          section('Find another session', sessionForm()),
        ),
      };
    },
  });
}

const ENDED = html`<p>The session has ended.</p>`;

function askAgain(session: string, problem: string): ConsolePage {
  return {
    title: 'A session',
    status: 400,
    content: section('Find a session', sessionForm(session, problem)),
  };
}

/** Tokens may name a session that is not stored here, and can be revoked by it all the same. */
function notFound(visit: Visit, session: string): ConsolePage {
  const problem = 'There is no such session. It may have ended without notifications.';
  const { content } = askAgain(session, problem);
  const revoke = actions(visit, session, false);
  return {
    title: 'A session',
    status: 404,
    content: joined(content, revoke && section('Tokens with this session', revoke)),
  };
}

/** The pages that end a session and what belongs to it. */
function actions({ operator }: Visit, session: string, isLive: boolean): Markup | undefined {
  if (!includesRole(operator.role, 'operator')) return undefined;
  const page = (name: string, text: string) =>
    html`<a class="button" href="${addressWith(`${SESSION_PATH}/${name}`, { session })}">${text}</a>\n`;
  return html`<p class="actions">${isLive ? page('end', 'End the session') : undefined}${page('revoke', 'Revoke every token of the session')}</p>`;
}

function live(visit: Visit, session: ListedSession, clock: EndUsersPagesDeps['store']['clock']): Markup {
  const { id, clients, hasMoreClients } = session;
  const next = hasMoreClients ? clients.at(-1)?.clientId : undefined;
  return joined(
    sessionFacts(session, clock, true),
    memberTable(session),
    next === undefined
      ? undefined
      : html`<p>${link(addressWith(SESSION_PATH, { session: id, after: next }), 'More applications')}</p>`,
    actions(visit, id, true),
    html`<p>${link(addressWith('/audit', { target: sessionTarget(id) }), 'What was done about this session')}</p>`,
  );
}
