import type { ConsoleRoute } from '../../frame/console-route.js';
import { explainTokens } from './explain-token.js';
import { revokeTokens } from './revoke-token.js';
import type { TokenPagesDeps } from './token-deps.js';

/** The pages about a token that is pasted. */
export function tokenPages(deps: TokenPagesDeps): readonly ConsoleRoute[] {
  return [...explainTokens(deps), ...revokeTokens(deps)];
}
