import { html } from '@vestibule/http/pages';
import { Type } from 'typebox';
import { type ConsoleRoute, consolePage } from '../../frame/console-route.js';
import type { Role } from '../../frame/operator.js';
import { joined, section, valueList } from '../../frame/parts.js';

const MEANING: Readonly<Record<Role, string>> = {
  viewer: 'You may open every page except those of actions that need a higher role.',
  operator: 'You may also make everyday changes to one client, token or session.',
  admin:
    'You may also delete clients, end all sessions and tokens of an end-user, change keys and grant elevated scopes.',
};

/** The session of the person: who the console takes them for, and what they may do. */
export function sessionPages(): readonly ConsoleRoute[] {
  return [
    consolePage({
      path: '/session',
      query: Type.Object({}),
      show: async ({ operator: { name, subject, role, actor } }) => ({
        title: 'Your session',
        content: joined(
          section(
            'Who you are',
            valueList({ Name: name, Subject: subject, Role: role, 'Name in audit events': actor }),
          ),
          html`<p>${MEANING[role]} The role stays as it was at your login: log out and in again after a change.</p>`,
        ),
      }),
    }),
  ];
}
