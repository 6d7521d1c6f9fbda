import { html, type Markup } from '@vestibule/http/pages';
import { type ClientId, DomainError, nowSeconds, parseClientId } from '@vestibule/protocol';
import { parseGrantedScopes } from '@vestibule/scopes';
import type { AccessToken } from '@vestibule/tokens';
import { inspectToken } from '@vestibule/tokens/introspection';
import { revokeToken as revoke } from '@vestibule/tokens/revocation';
import { Type } from 'typebox';
import { confirmationWord } from '../../frame/confirmation-word.js';
import { type Confirmation, confirmedAction } from '../../frame/confirmed-action.js';
import type { ActionOutcome, ConsoleRoute } from '../../frame/console-route.js';
import { link, valueList } from '../../frame/parts.js';
import { shownText } from '../../frame/shown-text.js';
import type { Visit } from '../../frame/visit.js';
import { roleForGrantedScopes } from '../initial-tokens/elevated-rights.js';
import { findPastedInitialToken } from '../initial-tokens/find-pasted-token.js';
import { shortIdOf } from '../initial-tokens/initial-token-words.js';
import { decryptToken } from './encrypted-token.js';
import { pasteAgain } from './explain-token.js';
import type { TokenPagesDeps } from './token-deps.js';
import { TOKEN_PATH } from './token-forms.js';

/** The actions that revoke a token, and everything of its client. */
export function revokeTokens(deps: TokenPagesDeps): readonly ConsoleRoute[] {
  return [...revokeToken(deps), ...revokeClient(deps)];
}

function revokeToken(deps: TokenPagesDeps): readonly ConsoleRoute[] {
  const { store } = deps;
  return confirmedAction({
    path: `${TOKEN_PATH}/revoke`,
    role: 'operator',
    fields: Type.Object({ encrypted: Type.Optional(Type.String()) }),
    // Nothing of a token is in an address, not even encrypted.
    openedBy: 'form',
    describe: async (visit, { encrypted }) => {
      const token = encrypted === undefined ? undefined : await decryptToken(store, visit, encrypted);
      if (token === undefined) return pasteAgain(visit, true);
      return { ...(await describeToken(deps, visit, token)), hidden: { encrypted } };
    },
    perform: async (visit, { encrypted = '' }) => {
      const token = await decryptToken(store, visit, encrypted);
      return token === undefined ? pasteAgain(visit, true) : carryOut(deps, visit, token);
    },
  });
}

/** Says what the token is. One whose kind cannot be found may be a refresh token, or one that is imported later. */
async function describeToken(deps: TokenPagesDeps, visit: Visit, token: string): Promise<Confirmation> {
  const general = { title: 'Revoke a token', button: 'Revoke this token', back: link(TOKEN_PATH, 'Go back') };
  const initial = await findPastedInitialToken(deps, token);
  if (initial !== undefined) {
    // The same rule as on the page of the initial access token.
    await visit.requireRole(roleForGrantedScopes(parseGrantedScopes(initial.scope)));
    const shortId = shortIdOf(initial);
    return {
      ...general,
      content: html`<p>It is the initial access token ${shortId}. No client can register with it any more, and it cannot be restored. Clients that were registered stay.</p>`,
      word: shortId,
    };
  }
  const { state } = await inspectToken(deps.introspection, token);
  if (state !== undefined)
    return {
      ...general,
      content: accessTokenView(state.token),
      word: confirmationWord(state.token.clientId),
    };
  return {
    ...general,
    content: html`<p>It is not an active access token. If it is a refresh token, the access tokens of its authorization end with it. If it is not known yet, it is inactive when it is imported. This cannot be undone.</p>`,
    word: 'revoke',
  };
}

function accessTokenView({ clientId, subject }: AccessToken): Markup {
  return html`<p>The access token stops working in every service, and cannot be restored. Its client can get a new one.</p>
${valueList({ Client: shownText(clientId), Subject: subject && shownText(subject) })}`;
}

async function carryOut(
  { store, introspection }: TokenPagesDeps,
  { operator: { actor } }: Visit,
  token: string,
): Promise<ActionOutcome> {
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
        word: confirmationWord(id),
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
