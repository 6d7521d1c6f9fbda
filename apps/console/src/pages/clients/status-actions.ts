import type { ClientStatus } from '@vestibule/clients';
import { changeClientStatus, rejectClient } from '@vestibule/clients/management';
import { html } from '@vestibule/http/pages';
import { DomainError } from '@vestibule/protocol';
import { clientPath } from '../../frame/addresses.js';
import { confirmationWord } from '../../frame/confirmation-word.js';
import type { ConsoleRoute } from '../../frame/console-route.js';
import { titleOfClient } from './client-words.js';
import type { ClientsDeps } from './clients-deps.js';
import type { SeenClient } from './find-client.js';
import { confirmedClientAction, seenClientAction } from './seen-client-action.js';

/** Approves, rejects, suspends and resumes clients, as `vestibule clients` does. */
export function statusActions(deps: ClientsDeps): readonly ConsoleRoute[] {
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
    ...rejection(deps),
  ];
}

/** The registrant would have to register again: the identifier and the credentials are lost. */
function rejection(deps: ClientsDeps): readonly ConsoleRoute[] {
  return confirmedClientAction(deps, {
    name: 'reject',
    role: 'operator',
    describe: async (_visit, seen) => {
      requireStatus(seen, ['pending']);
      const { client } = seen;
      return {
        title: `Reject ${titleOfClient(client)}`,
        content: html`<p>The client is deleted with its identifier and its credentials. This cannot be undone: its owner would have to register again. Its audit events stay.</p>`,
        word: confirmationWord(client.id),
        button: 'Reject',
      };
    },
    perform: async (visit, seen) => {
      requireStatus(seen, ['pending']);
      const { client, entityTag } = seen;
      const ifMatch = [entityTag];
      await rejectClient(deps.registration, { id: client.id, operator: visit.operator.actor, ifMatch });
      return { goTo: '/clients?status=pending', notice: 'rejected' };
    },
  });
}

/** @throws DomainError `precondition_failed` if the client has another status, which its page then shows */
function requireStatus({ client }: SeenClient, statuses: readonly ClientStatus[]): void {
  if (!statuses.includes(client.status))
    throw new DomainError('precondition_failed', 'The client has another status.');
}
