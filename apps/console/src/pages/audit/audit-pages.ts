import type { ConsoleRoute } from '../../frame/console-route.js';
import type { AuditPagesDeps } from './audit-deps.js';
import { eventPage } from './event-page.js';
import { eventsPage } from './events-page.js';
import { exportEvents } from './export-events.js';
import { verifyChain } from './verify-chain.js';

/** The pages about audit events. */
export function auditPages(deps: AuditPagesDeps): readonly ConsoleRoute[] {
  return [eventsPage(deps), eventPage(deps), verifyChain(deps), exportEvents(deps)];
}
