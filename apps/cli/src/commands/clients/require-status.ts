import type { ClientRepository, ClientStatus } from '@vestibule/clients';
import { conflict } from '../../frame/command-failure.js';
import { requireClient } from './show.js';

/** How a client that has another status than an operation needs is spoken of. */
const LACKS = { pending: 'does not wait for approval', suspended: 'is not suspended' } as const;

/** Makes sure that every one of some clients has a status. @throws CommandFailure for the first that has not */
export async function requireStatus(
  clients: Pick<ClientRepository, 'find'>,
  ids: readonly string[],
  status: ClientStatus & keyof typeof LACKS,
): Promise<void> {
  for (const id of ids) {
    const client = await requireClient(clients, id);
    if (client.status !== status)
      throw conflict(`The client ${id} ${LACKS[status]}: see vestibule clients list --status ${status}.`);
  }
}
