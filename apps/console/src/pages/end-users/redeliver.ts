import { DomainError } from '@vestibule/protocol';
import { Type } from 'typebox';
import { addressWith } from '../../frame/addresses.js';
import { type ConsoleRoute, consoleAction } from '../../frame/console-route.js';
import { DELIVERY_FILTERS } from './deliveries-page.js';
import { DELIVERIES_PATH, END_USERS_PATH, SESSION_PATH } from './end-users-addresses.js';
import type { EndUsersPagesDeps } from './end-users-deps.js';

/** Format of identifiers; other texts are not looked up. */
const ID = /^[0-9]{1,18}$/;

const PAGES: Readonly<Record<string, string>> = {
  deliveries: DELIVERIES_PATH,
  'end-user': END_USERS_PATH,
  session: SESSION_PATH,
};

/** The action that queues a notification again. */
export function redeliver({ store: { database, clock } }: EndUsersPagesDeps): ConsoleRoute {
  return consoleAction({
    path: `${DELIVERIES_PATH}/redeliver`,
    role: 'operator',
    form: Type.Object({
      ...DELIVERY_FILTERS,
      page: Type.Optional(Type.String()),
      delivery: Type.Optional(Type.String()),
    }),
    perform: async (visit, { page = '', delivery = '', ...filters }) => {
      const { logoutDeliveries } = database.actingAs({ actor: visit.operator.actor, clock });
      const outcome = ID.test(delivery) ? await logoutDeliveries.redeliver(delivery) : 'unknown';
      if (outcome === 'unknown')
        throw new DomainError(
          'not_found',
          'There is no such notification. Delivered ones are deleted after a while.',
        );
      if (outcome === 'already_pending')
        throw new DomainError(
          'precondition_failed',
          'The notification is already pending: nothing was changed.',
        );
      const { state, client_id, subject, session } = filters;
      const address = PAGES[page] ?? DELIVERIES_PATH;
      return { goTo: addressWith(address, { state, client_id, subject, session }), notice: 'queued' };
    },
  });
}
