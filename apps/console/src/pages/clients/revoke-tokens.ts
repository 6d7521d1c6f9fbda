import type { Client } from '@vestibule/clients';
import { hiddenFields, html } from '@vestibule/http/pages';
import { nowSeconds } from '@vestibule/protocol';
import { Type } from 'typebox';
import { clientPath } from '../../frame/addresses.js';
import { type ConsolePage, type ConsoleRoute, consolePage } from '../../frame/console-route.js';
import { actionForm, confirmationField } from '../../frame/forms.js';
import { joined, link } from '../../frame/parts.js';
import type { Visit } from '../../frame/visit.js';
import { titleOfClient } from './client-words.js';
import type { ClientsDeps } from './clients-deps.js';
import { confirmationWord } from './confirmation-word.js';
import { findClient } from './find-client.js';
import { holdingsList } from './holdings-list.js';
import { seenClientAction } from './seen-client-action.js';

/** Revokes every token of a client, as `vestibule tokens revoke --client-id` does. */
export function revokeTokensRoutes(deps: ClientsDeps): readonly ConsoleRoute[] {
  return [
    consolePage({
      path: '/clients/:id/revoke-tokens',
      role: 'admin',
      query: Type.Object({}),
      show: async (visit) => revokeTokensPage(deps, visit, { client: await findClient(deps, visit) }),
    }),
    seenClientAction(deps, {
      name: 'revoke-tokens',
      role: 'admin',
      perform: async (visit, { client }, confirmation) => {
        if (confirmation !== confirmationWord(client))
          return revokeTokensPage(deps, visit, { client, isUnconfirmed: true });
        const { clock, database } = deps.store;
        const { revocations } = database.actingAs({ actor: visit.operator.actor, clock });
        await revocations.revokeClient(client.id, nowSeconds(clock));
        return { goTo: clientPath(client.id), notice: 'revoked' };
      },
    }),
  ];
}

async function revokeTokensPage(
  { store }: ClientsDeps,
  visit: Visit,
  { client, isUnconfirmed = false }: { readonly client: Client; readonly isUnconfirmed?: boolean },
): Promise<ConsolePage> {
  const { id, version } = client;
  return {
    title: `Revoke the tokens of ${titleOfClient(client)}`,
    status: isUnconfirmed ? 400 : 200,
    content: joined(
      html`<p>Every token and authorization of the client ends, and cannot be restored. The client stays registered, and can get new tokens.</p>`,
      holdingsList(await store.database.clientHoldings(id), [
        'accessTokens',
        'refreshTokens',
        'authorizations',
      ]),
      actionForm(visit, {
        action: clientPath(id, 'revoke-tokens'),
        role: 'admin',
        content: html`${hiddenFields({ version: String(version) })}${confirmationField(
          confirmationWord(client),
          isUnconfirmed ? 'This differs: nothing was revoked.' : undefined,
        )}`,
        button: 'Revoke',
        isDangerous: true,
      }),
      html`<p>${link(clientPath(id), 'Back to the client')}</p>`,
    ),
  };
}
