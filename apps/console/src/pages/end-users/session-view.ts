import type { ListedSession, SessionMember } from '@vestibule/database';
import { html, type Markup } from '@vestibule/http/pages';
import { type Clock, nowSeconds } from '@vestibule/protocol';
import { clientPath } from '../../frame/addresses.js';
import { type Column, dataTable, instantAt, joined, link, stateWord, valueList } from '../../frame/parts.js';
import { shownText } from '../../frame/shown-text.js';
import { endUserAddress, sessionAddress } from './end-users-addresses.js';

/** Renders the sessions of an end-user, each with its first applications. */
export function sessionList(sessions: readonly ListedSession[], clock: Clock): Markup {
  if (sessions.length === 0) return html`<p class="none">There are no sessions.</p>`;
  return html`${sessions.map(
    (session) => html`<h3>${link(sessionAddress(session.id), shownText(session.id, 80))}</h3>
${sessionFacts(session, clock)}
${memberTable(session)}
${session.hasMoreClients ? html`<p>${link(sessionAddress(session.id), 'All applications of the session')}</p>` : undefined}`,
  )}`;
}

/** Renders what is known of a session. */
export function sessionFacts(session: ListedSession, clock: Clock, hasEndUser = false): Markup {
  const { subject, createdAt, authenticatedAt, expiresAt } = session;
  return valueList({
    'End-user':
      hasEndUser && subject !== undefined ? link(endUserAddress(subject), shownText(subject)) : undefined,
    State: expiresAt > nowSeconds(clock) ? stateWord('live', 'good') : stateWord('expired', 'waiting'),
    Opened: instantAt(createdAt),
    'Logged in': authenticatedAt && instantAt(authenticatedAt),
    Expires: instantAt(expiresAt),
  });
}

/** Renders the applications of a session, and whether each will be notified when it ends. */
export function memberTable({ clients }: Pick<ListedSession, 'clients'>): Markup {
  return dataTable('Applications in the session', COLUMNS, clients, 'No application is in the session.');
}

const COLUMNS: readonly Column<SessionMember>[] = [
  {
    title: 'Application',
    cell: ({ clientId, name }) =>
      joined(
        link(clientPath(clientId), shownText(clientId, 100)),
        name === undefined ? undefined : html` <bdi>${shownText(name, 80)}</bdi>`,
      ),
  },
  { title: 'sid', cell: ({ sid }) => html`<code>${shownText(sid, 80)}</code>` },
  { title: 'When it ends', cell: (member) => whenItEnds(member) },
];

/** By the same conditions as the end of a session. */
function whenItEnds({ receivedIdToken, hasBackChannel, hasFrontChannel }: SessionMember): string {
  if (!receivedIdToken) return 'not notified: it received no ID token';
  const ways = [
    ...(hasBackChannel ? ['notified by the back channel'] : []),
    ...(hasFrontChannel ? ['loaded in the browser at a logout there (front channel)'] : []),
  ];
  return ways.length === 0 ? 'not notified: it registers no logout URI' : ways.join('; ');
}
