import type { ListedSession } from '@vestibule/database';
import { subjectTarget } from '@vestibule/database/audit';
import { html, type Markup } from '@vestibule/http/pages';
import { DomainError, epochSeconds } from '@vestibule/protocol';
import { Type } from 'typebox';
import { addressWith } from '../../frame/addresses.js';
import { type ConsolePage, type ConsoleRoute, consolePage } from '../../frame/console-route.js';
import { textField } from '../../frame/forms.js';
import { includesRole } from '../../frame/operator.js';
import { joined, link, section } from '../../frame/parts.js';
import { listNavigation, searchForm } from '../../frame/search-form.js';
import { shownText } from '../../frame/shown-text.js';
import type { Visit } from '../../frame/visit.js';
import { deliveryTable } from './delivery-table.js';
import { DELIVERIES_PATH, END_USERS_PATH, SESSION_PATH } from './end-users-addresses.js';
import type { EndUsersPagesDeps } from './end-users-deps.js';
import { NOTICES } from './notices.js';
import { sessionList } from './session-view.js';

/** Sessions, applications of each, and notifications on a page. */
const SESSIONS = 10;
const CLIENTS = 8;
const DELIVERIES = 10;

/** The page that finds an end-user by the subject, with sessions and notifications. */
export function findEndUser({ store }: EndUsersPagesDeps): ConsoleRoute {
  const { listedSessions, logoutDeliveries } = store.database;
  return consolePage({
    path: END_USERS_PATH,
    query: Type.Object({
      subject: Type.Optional(Type.String()),
      older: Type.Optional(Type.String()),
    }),
    notices: NOTICES,
    show: async (visit, { subject, older }): Promise<ConsolePage> => {
      const search = joined(
        section('Find an end-user', subjectForm(subject)),
        section('Find a session', sessionForm()),
      );
      if (subject === undefined)
        return {
          title: 'End-users',
          content: joined(
            search,
            html`<p>${link(DELIVERIES_PATH, 'Back-channel logout notifications of all end-users')}</p>`,
          ),
        };
      const [sessions, deliveries] = await Promise.all([
        listedSessions.ofSubject({
          subject,
          before: positionOf(older),
          limit: SESSIONS + 1,
          clients: CLIENTS,
        }),
        logoutDeliveries.list({ subject, limit: DELIVERIES }),
      ]);
      const shown = sessions.slice(0, SESSIONS);
      const last = sessions.length > SESSIONS ? shown.at(-1) : undefined;
      return {
        title: 'End-users',
        content: joined(
          search,
          section(
            `Sessions of ${shownText(subject, 100)}`,
            joined(
              sessionList(shown, store.clock),
              listNavigation({
                older: last && addressWith(END_USERS_PATH, { subject, older: positionText(last) }),
              }),
              actions(visit, subject),
            ),
          ),
          section(
            'Notifications of ended sessions',
            joined(
              deliveryTable(visit, deliveries, { page: 'end-user', filters: { subject } }),
              html`<p>${link(addressWith(DELIVERIES_PATH, { subject }), 'All notifications of this end-user')}</p>`,
            ),
          ),
        ),
      };
    },
  });
}

function actions({ operator }: Visit, subject: string): Markup {
  const ends = includesRole(operator.role, 'admin')
    ? html`${link(addressWith(`${END_USERS_PATH}/end-sessions`, { subject }), 'End all sessions')} · ${link(addressWith(`${END_USERS_PATH}/revoke`, { subject }), 'Revoke everything')} · `
    : undefined;
  const history = addressWith('/audit', { target: subjectTarget(subject) });
  return html`<p>${ends}${link(history, 'What was done about this end-user')}</p>`;
}

function subjectForm(subject: string | undefined): Markup {
  return searchForm({
    action: END_USERS_PATH,
    content: textField({
      name: 'subject',
      label: 'Subject',
      hint: 'The sub that the authorization server uses for the end-user.',
      value: subject,
      required: true,
    }),
    button: 'Find the end-user',
  });
}

/** Renders the form that finds a session. */
export function sessionForm(session?: string, error?: string): Markup {
  return searchForm({
    action: SESSION_PATH,
    content: textField({
      name: 'session',
      label: 'Session',
      hint: 'Its own identifier, or the sid that an application has for it.',
      value: session,
      required: true,
      error,
    }),
    button: 'Find the session',
  });
}

const POSITION = /^(\d{1,11})-(.+)$/s;

function positionText({ createdAt, id }: ListedSession): string {
  return `${createdAt}-${id}`;
}

function positionOf(text: string | undefined): Pick<ListedSession, 'createdAt' | 'id'> | undefined {
  if (text === undefined) return undefined;
  const [, createdAt, id] = POSITION.exec(text) ?? [];
  if (createdAt === undefined || id === undefined)
    throw new DomainError('invalid_request', 'The address of the page is not one of this list.');
  return { createdAt: epochSeconds(Number(createdAt)), id };
}
