import type { ConsoleRoute } from '../../frame/console-route.js';
import { blocksPage } from './blocks-page.js';
import { clientHistoryPage } from './client-history-page.js';
import { clientListPage } from './client-list-page.js';
import { clientPage } from './client-page.js';
import type { ClientsDeps } from './clients-deps.js';
import { credentialActions } from './credential-actions.js';
import { deleteClientRoutes } from './delete-client.js';
import { editClientRoutes } from './edit-client.js';
import { registerClientRoutes } from './register-client.js';
import { revokeTokensRoutes } from './revoke-tokens.js';
import { statusActions } from './status-actions.js';

/**
 * The pages and actions of clients. Paths that belong to no client have a segment `-` in the place of the identifier and
 * one more behind it that no path of a client has.
 */
export function clientsPages(deps: ClientsDeps): readonly ConsoleRoute[] {
  return [
    clientListPage(deps),
    blocksPage(deps),
    ...registerClientRoutes(deps),
    clientPage(deps),
    clientHistoryPage(deps),
    ...editClientRoutes(deps),
    ...statusActions(deps),
    ...credentialActions(deps),
    ...revokeTokensRoutes(deps),
    ...deleteClientRoutes(deps),
  ];
}
