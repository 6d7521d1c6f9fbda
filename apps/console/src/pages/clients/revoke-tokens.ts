import { html } from '@vestibule/http/pages';
import { nowSeconds } from '@vestibule/protocol';
import { clientPath } from '../../frame/addresses.js';
import { confirmationWord } from '../../frame/confirmation-word.js';
import type { ConsoleRoute } from '../../frame/console-route.js';
import { joined } from '../../frame/parts.js';
import { titleOfClient } from './client-words.js';
import type { ClientsDeps } from './clients-deps.js';
import { holdingsList } from './holdings-list.js';
import { confirmedClientAction } from './seen-client-action.js';

/** Revokes every token of a client, as `vestibule tokens revoke --client-id` does. */
export function revokeTokensRoutes(deps: ClientsDeps): readonly ConsoleRoute[] {
  const { clock, database } = deps.store;
  return confirmedClientAction(deps, {
    name: 'revoke-tokens',
    role: 'admin',
    describe: async (_visit, { client }) => ({
      title: `Revoke the tokens of ${titleOfClient(client)}`,
      content: joined(
        html`<p>Every token and authorization of the client ends, and cannot be restored. The client stays registered, and can get new tokens.</p>`,
        holdingsList(await database.clientHoldings(client.id), [
          'accessTokens',
          'refreshTokens',
          'authorizations',
        ]),
      ),
      word: confirmationWord(client.id),
      button: 'Revoke',
    }),
    perform: async (visit, { client }) => {
      const { revocations } = database.actingAs({ actor: visit.operator.actor, clock });
      await revocations.revokeClient(client.id, nowSeconds(clock));
      return { goTo: clientPath(client.id), notice: 'revoked' };
    },
  });
}
