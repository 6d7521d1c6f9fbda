import type { ConsoleRoute } from '../../frame/console-route.js';
import { initialTokenListPage } from './initial-token-list-page.js';
import { initialTokenPage } from './initial-token-page.js';
import type { InitialTokensDeps } from './initial-tokens-deps.js';
import { issueInitialTokenRoutes } from './issue-initial-token.js';
import { revokeInitialTokenRoutes } from './revoke-initial-token.js';

/** The pages and actions of initial access tokens. Tokens are named by the short identifier of audit events. */
export function initialTokensPages(deps: InitialTokensDeps): readonly ConsoleRoute[] {
  return [
    initialTokenListPage(deps),
    ...issueInitialTokenRoutes(deps),
    initialTokenPage(deps),
    ...revokeInitialTokenRoutes(deps),
  ];
}
