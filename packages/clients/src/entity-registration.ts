import { DomainError, type JsonObject, nowSeconds } from '@vestibule/protocol';
import { isClientExpired } from './authorize-management.js';
import type { Client, FederationMembership } from './client.js';
import type { RegistrationDeps } from './registration-deps.js';

/** How an entity registers (OpenID Federation 1.0 section 12). */
export type EntityRegistrationType = 'explicit' | 'automatic';

/**
 * Refuses an entity that does not register this way; without `client_registration_types` it may use either.
 * @throws DomainError `invalid_client_metadata`
 */
export function requireRegistrationType(metadata: JsonObject, type: EntityRegistrationType): void {
  const { client_registration_types: types } = metadata;
  if (types === undefined || (Array.isArray(types) && types.includes(type))) return;
  throw new DomainError(
    'invalid_client_metadata',
    `client_registration_types: the entity does not list "${type}".`,
  );
}

/**
 * Whether a registration of an entity gives way to a new one: anyone can post a statement without `aud`, so that a
 * registration made by one never stands in the way of a request that the entity itself addressed to this provider.
 */
export function givesWay(
  present: Pick<FederationMembership, 'isAddressed'>,
  next: Pick<FederationMembership, 'isAddressed'>,
): boolean {
  return next.isAddressed && !present.isAddressed;
}

/**
 * The present registration of an entity that a new one has to reckon with. One that has expired, or that gives way, is
 * deleted first with everything issued under it.
 * @throws DomainError `unauthorized_client` when the present registration is suspended, and when the entity addressed it
 *   to this provider and the new one is not addressed.
 */
export async function presentRegistration(
  { clients, clock }: Pick<RegistrationDeps, 'clients' | 'clock'>,
  next: Pick<FederationMembership, 'entityId' | 'isAddressed'>,
): Promise<Client | undefined> {
  for (;;) {
    const client = await clients.findByEntity(next.entityId);
    if (client?.federation === undefined) return undefined;
    const now = nowSeconds(clock);
    const isExpired = isClientExpired(client, now);
    if (!isExpired) requireReplaceable(client, client.federation, next);
    if (!isExpired && !givesWay(client.federation, next)) return client;
    const action = isExpired ? 'client.expired' : 'client.replaced';
    const { version: ifVersion } = client;
    await clients.delete(client.id, now, {
      action,
      ifVersion,
      ...(!isExpired && { actor: `entity:${next.entityId}` as const }),
    });
  }
}

function requireReplaceable(
  { status }: Client,
  present: FederationMembership,
  next: Pick<FederationMembership, 'isAddressed'>,
): void {
  if (status === 'suspended') throw notReplaceable('the registration is suspended');
  if (present.isAddressed && !next.isAddressed)
    throw notReplaceable('a statement without aud replaces no registration that the entity addressed to us');
}

/** The one response to everything that cannot be trusted; the reason is for operators. */
export function notReplaceable(detail: string): DomainError {
  return new DomainError('unauthorized_client', 'The entity cannot be trusted.', { detail });
}
