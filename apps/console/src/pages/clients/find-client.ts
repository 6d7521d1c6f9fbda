import type { Client } from '@vestibule/clients';
import { readClientStatus } from '@vestibule/clients/management';
import { DomainError, parseClientId } from '@vestibule/protocol';
import type { Visit } from '../../frame/visit.js';
import type { ClientsDeps } from './clients-deps.js';

/**
 * Finds the client of a path, even an expired one.
 * @throws DomainError `not_found`
 */
export async function findClient({ registration }: ClientsDeps, visit: Visit): Promise<Client> {
  const id = parseClientId(visit.param('id'));
  const client = id && (await registration.clients.find(id));
  if (client === undefined) throw new DomainError('not_found', 'There is no such client.');
  return client;
}

/** A client in the version that the operator saw. */
export interface SeenClient {
  readonly client: Client;
  /** Its entity tag, for operations that must not meet another version. */
  readonly entityTag: string;
}

/**
 * Finds the client of an action in the version that the operator saw.
 * @param version as its page sent it
 * @throws DomainError `not_found` also for an expired client; `precondition_failed` if it has changed since
 */
export async function findSeenClient(
  deps: ClientsDeps,
  visit: Visit,
  version: string | undefined,
): Promise<SeenClient> {
  // The tag is read first: if the client changes in between, its version differs from the one that was seen.
  const { entityTag } = await readClientStatus(deps.registration, {
    id: visit.param('id'),
    operator: visit.operator.actor,
  });
  const client = await findClient(deps, visit);
  if (String(client.version) !== version)
    throw new DomainError('precondition_failed', 'The client has changed in the meantime.');
  return { client, entityTag };
}
