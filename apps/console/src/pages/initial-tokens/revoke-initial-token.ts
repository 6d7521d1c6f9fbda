import { DomainError } from '@vestibule/protocol';
import { Type } from 'typebox';
import { type ActionRoute, consoleAction } from '../../frame/console-route.js';
import { roleForScope } from './elevated-rights.js';
import { findInitialToken } from './find-initial-token.js';
import type { InitialTokensDeps } from './initial-tokens-deps.js';

/** Revokes an initial access token, as `vestibule initial-token revoke` does. */
export function revokeInitialTokenAction(deps: InitialTokensDeps): ActionRoute {
  return consoleAction({
    path: '/initial-tokens/:id/revoke',
    role: 'operator',
    form: Type.Object({}),
    perform: async (visit) => {
      const token = await findInitialToken(deps, visit.param('id'));
      if (token === undefined) throw noSuchToken();
      await visit.requireRole(roleForScope(token.scope));
      const { clock, database } = deps.store;
      const { initialAccessTokens } = database.actingAs({ actor: visit.operator.actor, clock });
      if (!(await initialAccessTokens.delete([token.digest]))) throw noSuchToken();
      return { goTo: '/initial-tokens', notice: 'revoked' };
    },
  });
}

function noSuchToken(): DomainError {
  return new DomainError('not_found', 'There is no such initial access token, or not any more.');
}
