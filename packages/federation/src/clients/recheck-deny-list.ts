import type { FederationMembership } from '@vestibule/clients';
import { nowSeconds, parseClientId } from '@vestibule/protocol';
import { untrusted } from '../registration/refusals.js';
import type { FederationRegistrationDeps } from './federation-registration-deps.js';

/**
 * Ends a registration whose chain was denied while it was made. The command that denies an entity ends the
 * registrations that it finds afterwards, so that each registration is ended by one of the two.
 * @throws DomainError `unauthorized_client` if it was denied
 */
export async function recheckDenyList(
  { controls, clock, registration: { clients } }: FederationRegistrationDeps,
  id: string,
  { chainEntities = [] }: FederationMembership,
): Promise<void> {
  const { denied } = await controls();
  if (![...denied].some((entity) => chainEntities.includes(entity))) return;
  const clientId = parseClientId(id);
  if (clientId !== undefined) await clients.delete(clientId, nowSeconds(clock), { actor: 'service' });
  throw untrusted('denied: an entity of the chain was put on the deny list');
}
