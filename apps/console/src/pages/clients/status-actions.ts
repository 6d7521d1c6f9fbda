import type { ClientStatus } from '@vestibule/clients';
import { changeClientStatus, rejectClient } from '@vestibule/clients/management';
import { DomainError } from '@vestibule/protocol';
import { clientPath } from '../../frame/addresses.js';
import type { ActionRoute } from '../../frame/console-route.js';
import type { ClientsDeps } from './clients-deps.js';
import type { SeenClient } from './find-client.js';
import { seenClientAction } from './seen-client-action.js';

/** Approves, rejects, suspends and resumes clients, as `vestibule clients` does. */
export function statusActions(deps: ClientsDeps): readonly ActionRoute[] {
  const change = (name: string, from: readonly ClientStatus[], to: 'active' | 'suspended', notice: string) =>
    seenClientAction(deps, {
      name,
      role: 'operator',
      perform: async (visit, seen) => {
        requireStatus(seen, from);
        const { id, version } = seen.client;
        const operator = visit.operator.actor;
        await changeClientStatus(deps.registration, { id, operator, status: to, ifVersion: version });
        return { goTo: clientPath(id), notice };
      },
    });
  return [
    change('approve', ['pending'], 'active', 'approved'),
    change('suspend', ['active', 'pending'], 'suspended', 'suspended'),
    change('resume', ['suspended'], 'active', 'resumed'),
    seenClientAction(deps, {
      name: 'reject',
      role: 'operator',
      perform: async (visit, seen) => {
        requireStatus(seen, ['pending']);
        await rejectClient(deps.registration, { id: seen.client.id, operator: visit.operator.actor });
        return { goTo: '/clients?status=pending', notice: 'rejected' };
      },
    }),
  ];
}

/** @throws DomainError `precondition_failed` if the client has another status, which its page then shows */
function requireStatus({ client }: SeenClient, statuses: readonly ClientStatus[]): void {
  if (!statuses.includes(client.status))
    throw new DomainError('precondition_failed', 'The client has another status.');
}
