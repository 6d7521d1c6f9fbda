import type { Client } from '@vestibule/clients';
import { deleteClient } from '@vestibule/clients/management';
import { hiddenFields, html } from '@vestibule/http/pages';
import { Type } from 'typebox';
import { clientPath } from '../../frame/addresses.js';
import { type ConsolePage, type ConsoleRoute, consolePage } from '../../frame/console-route.js';
import { actionForm, confirmationField } from '../../frame/forms.js';
import { joined, link, section } from '../../frame/parts.js';
import type { Visit } from '../../frame/visit.js';
import { titleOfClient } from './client-words.js';
import type { ClientsDeps } from './clients-deps.js';
import { confirmationWord } from './confirmation-word.js';
import { findClient } from './find-client.js';
import { holdingsList } from './holdings-list.js';
import { seenClientAction } from './seen-client-action.js';

/** Deletes a client with everything that was issued to it, as `vestibule clients delete` does. */
export function deleteClientRoutes(deps: ClientsDeps): readonly ConsoleRoute[] {
  return [
    consolePage({
      path: '/clients/:id/delete',
      role: 'admin',
      query: Type.Object({}),
      show: async (visit) => deletePage(deps, visit, { client: await findClient(deps, visit) }),
    }),
    seenClientAction(deps, {
      name: 'delete',
      role: 'admin',
      perform: async (visit, { client, entityTag }, confirmation) => {
        if (confirmation !== confirmationWord(client))
          return deletePage(deps, visit, { client, isUnconfirmed: true });
        const operator = visit.operator.actor;
        await deleteClient(deps.registration, { id: client.id, operator, ifMatch: [entityTag] });
        return { goTo: '/clients', notice: 'deleted' };
      },
    }),
  ];
}

async function deletePage(
  { store }: ClientsDeps,
  visit: Visit,
  { client, isUnconfirmed = false }: { readonly client: Client; readonly isUnconfirmed?: boolean },
): Promise<ConsolePage> {
  const { id, version } = client;
  const holdings = await store.database.clientHoldings(id);
  return {
    title: `Delete ${titleOfClient(client)}`,
    status: isUnconfirmed ? 400 : 200,
    content: joined(
      html`<p>The client and everything that was issued to it are deleted. This cannot be undone. Its audit events stay.</p>`,
      section(
        'What is deleted with it',
        holdingsList(holdings, ['accessTokens', 'refreshTokens', 'authorizations', 'sessions']),
      ),
      holdings.waitingDeliveries === 0
        ? undefined
        : section('What is not deleted', holdingsList(holdings, ['waitingDeliveries'])),
      actionForm(visit, {
        action: clientPath(id, 'delete'),
        role: 'admin',
        content: html`${hiddenFields({ version: String(version) })}${confirmationField(
          confirmationWord(client),
          isUnconfirmed ? 'This differs: nothing was deleted.' : undefined,
        )}`,
        button: 'Delete',
        isDangerous: true,
      }),
      html`<p>${link(clientPath(id), 'Back to the client')}</p>`,
    ),
  };
}
