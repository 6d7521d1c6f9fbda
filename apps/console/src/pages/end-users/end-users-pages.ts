import type { ConsoleRoute } from '../../frame/console-route.js';
import { deliveriesPage } from './deliveries-page.js';
import type { EndUsersPagesDeps } from './end-users-deps.js';
import { findEndUser } from './find-end-user.js';
import { redeliver } from './redeliver.js';
import { sessionActions } from './session-actions.js';
import { sessionPage } from './session-page.js';

/** The pages about end-users: their sessions, and the notifications of their logouts. */
export function endUsersPages(deps: EndUsersPagesDeps): readonly ConsoleRoute[] {
  return [
    findEndUser(deps),
    sessionPage(deps),
    deliveriesPage(deps),
    ...sessionActions(deps),
    redeliver(deps),
  ];
}
