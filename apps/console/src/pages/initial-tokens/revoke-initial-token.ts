import type { ListedInitialToken } from '@vestibule/database';
import { html } from '@vestibule/http/pages';
import { Type } from 'typebox';
import { confirmedAction } from '../../frame/confirmed-action.js';
import type { ConsoleRoute } from '../../frame/console-route.js';
import { link } from '../../frame/parts.js';
import { shownText } from '../../frame/shown-text.js';
import type { Visit } from '../../frame/visit.js';
import { roleForScope } from './elevated-rights.js';
import { findInitialToken, noSuchToken } from './find-initial-token.js';
import { initialTokenPath } from './initial-token-words.js';
import type { InitialTokensDeps } from './initial-tokens-deps.js';

/** Revokes an initial access token, as `vestibule initial-token revoke` does. */
export function revokeInitialTokenRoutes(deps: InitialTokensDeps): readonly ConsoleRoute[] {
  return confirmedAction({
    path: '/initial-tokens/:id/revoke',
    role: 'operator',
    fields: Type.Object({}),
    describe: async (visit) => {
      const { shortId, label } = await requireRevocable(deps, visit);
      return {
        title: `Revoke the initial access token ${shortId}`,
        content: html`<p>No client can register with it any more${label === undefined ? '' : ` (${shownText(label)})`}, and it cannot be restored. Clients that were registered stay.</p>`,
        word: shortId,
        button: 'Revoke',
        back: link(initialTokenPath(shortId), 'Back to the token'),
      };
    },
    perform: async (visit) => {
      const { digest } = await requireRevocable(deps, visit);
      const { clock, database } = deps.store;
      const { initialAccessTokens } = database.actingAs({ actor: visit.operator.actor, clock });
      if (!(await initialAccessTokens.delete([digest]))) throw noSuchToken();
      return { goTo: '/initial-tokens', notice: 'revoked' };
    },
  });
}

/** @throws DomainError `not_found`; `access_denied` if its rights require a higher role */
async function requireRevocable(deps: InitialTokensDeps, visit: Visit): Promise<ListedInitialToken> {
  const token = await findInitialToken(deps, visit.param('id'));
  if (token === undefined) throw noSuchToken();
  await visit.requireRole(roleForScope(token.scope));
  return token;
}
