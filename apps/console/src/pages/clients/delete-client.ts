import { deleteClient } from '@vestibule/clients/management';
import { html } from '@vestibule/http/pages';
import { confirmationWord } from '../../frame/confirmation-word.js';
import type { ConsoleRoute } from '../../frame/console-route.js';
import { joined, section } from '../../frame/parts.js';
import { titleOfClient } from './client-words.js';
import type { ClientsDeps } from './clients-deps.js';
import { holdingsList } from './holdings-list.js';
import { confirmedClientAction } from './seen-client-action.js';

/** Deletes a client with everything that was issued to it, as `vestibule clients delete` does. */
export function deleteClientRoutes(deps: ClientsDeps): readonly ConsoleRoute[] {
  return confirmedClientAction(deps, {
    name: 'delete',
    role: 'admin',
    describe: async (_visit, { client }) => {
      const holdings = await deps.store.database.clientHoldings(client.id);
      return {
        title: `Delete ${titleOfClient(client)}`,
        content: html`<p>The client and everything that was issued to it are deleted. This cannot be undone. Its audit events stay.</p>`,
        sections: joined(
          section(
            'What is deleted with it',
            holdingsList(holdings, ['accessTokens', 'refreshTokens', 'authorizations', 'sessions']),
          ),
          holdings.waitingDeliveries === 0
            ? undefined
            : section('What is not deleted', holdingsList(holdings, ['waitingDeliveries'])),
        ),
        word: confirmationWord(client.id),
        button: 'Delete',
      };
    },
    perform: async (visit, { client, entityTag }) => {
      const operator = visit.operator.actor;
      await deleteClient(deps.registration, { id: client.id, operator, ifMatch: [entityTag] });
      return { goTo: '/clients', notice: 'deleted' };
    },
  });
}
