import type { ClientRepository, ClientStatus } from '@vestibule/clients';
import { conflict } from '../../frame/command-failure.js';
import { requireClient } from './show.js';

/** Descriptions of clients that do not have the required status. */
const LACKS = { pending: 'does not wait for approval', suspended: 'is not suspended' } as const;

/**
 * Requires that every client has a status.
 * @throws CommandFailure for the first client that does not
 */
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
