import { html } from '@vestibule/http/pages';
import { type ClientId, DomainError, nowSeconds, parseClientId } from '@vestibule/protocol';
import { revokeToken as revoke } from '@vestibule/tokens/revocation';
import { Type } from 'typebox';
import { confirmedAction } from '../../frame/confirmed-action.js';
import { type ConsoleRoute, consoleAction } from '../../frame/console-route.js';
import { shownText } from '../../frame/shown-text.js';
import { pasteAgain } from './explain-token.js';
import { openToken } from './sealed-token.js';
import type { TokenPagesDeps } from './token-deps.js';
import { TOKEN_PATH } from './token-forms.js';

/** The actions that revoke a token, and everything of its client. */
export function revokeTokens(deps: TokenPagesDeps): readonly ConsoleRoute[] {
  return [revokeToken(deps), ...revokeClient(deps)];
}

function revokeToken({ store, introspection }: TokenPagesDeps): ConsoleRoute {
  return consoleAction({
    path: `${TOKEN_PATH}/revoke`,
    role: 'operator',
    form: Type.Object({ sealed: Type.Optional(Type.String()) }),
    perform: async (visit, { sealed }) => {
      const token = sealed === undefined ? undefined : await openToken(store, visit, sealed);
      if (token === undefined) return pasteAgain(visit, true);
      const { actor } = visit.operator;
      const { revocations, initialAccessTokens } = store.database.actingAs({ actor, clock: store.clock });
      let unverified: string | undefined;
      const onUnverifiedJwt = (reason: string) => {
        unverified = reason;
      };
      await revoke({ ...introspection, revocations, initialAccessTokens, onUnverifiedJwt }, token);
      if (unverified === undefined) return { goTo: TOKEN_PATH, notice: 'revoked' };
      return {
        title: 'Nothing was revoked',
        status: 400,
        content: html`<p role="alert">The token is not one of this issuer: ${shownText(unverified, 500)}.</p>
<p><a href="${TOKEN_PATH}">Go back</a></p>`,
      };
    },
  });
}

function revokeClient({ store }: TokenPagesDeps): readonly ConsoleRoute[] {
  return confirmedAction({
    path: `${TOKEN_PATH}/revoke-client`,
    role: 'admin',
    fields: Type.Object({ client_id: Type.Optional(Type.String()) }),
    describe: async (_visit, { client_id: clientId }) => {
      const id = clientIdOf(clientId);
      return {
        title: 'Revoke everything of a client',
        content: html`<p>Every access token, refresh token and authorization of the client <code>${shownText(id)}</code> ends, for every end-user. The client stays registered and can get new tokens.</p>`,
        word: id,
        button: 'Revoke everything',
        hidden: { client_id: id },
      };
    },
    perform: async (visit, { client_id: clientId }) => {
      const { actor } = visit.operator;
      const { revocations } = store.database.actingAs({ actor, clock: store.clock });
      await revocations.revokeClient(clientIdOf(clientId), nowSeconds(store.clock));
      return { goTo: TOKEN_PATH, notice: 'client-revoked' };
    },
  });
}

function clientIdOf(text: string | undefined): ClientId {
  const id = parseClientId(text);
  if (id === undefined) throw new DomainError('not_found', 'There is no such client.');
  return id;
}
