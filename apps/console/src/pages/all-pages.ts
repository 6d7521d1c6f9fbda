import type { ConsoleDeps } from '../deps.js';
import type { ConsoleRoute } from '../frame/console-route.js';
import { auditPages } from './audit/audit-pages.js';
import { clientsPages } from './clients/clients-pages.js';
import { endUsersPages } from './end-users/end-users-pages.js';
import { federationPages } from './federation/federation-pages.js';
import { initialTokensPages } from './initial-tokens/initial-tokens-pages.js';
import { keysPages } from './keys/keys-pages.js';
import { overviewPages } from './overview/overview-pages.js';
import { sessionPages } from './session/session-pages.js';
import { tokenPages } from './token/token-pages.js';

/** Every page and action of the console. */
export function allPages(deps: ConsoleDeps): readonly ConsoleRoute[] {
  return [
    ...overviewPages(deps),
    ...clientsPages(deps),
    ...initialTokensPages(deps),
    ...tokenPages(deps),
    ...endUsersPages(deps),
    ...federationPages(deps),
    ...auditPages(deps),
    ...keysPages(deps),
    ...sessionPages(),
  ];
}
