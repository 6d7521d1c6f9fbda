import { DomainError, nowSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import type { Client, FederationMembership } from '../client.js';
import { isClientExpired } from '../client-expiry.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';

/** How an entity registers (OpenID Federation 1.0 section 12). */
export type EntityRegistrationType = 'explicit' | 'automatic';

/**
 * Refuses an entity that does not register this way. Without `client_registration_types` it may use either.
 * @throws DomainError `invalid_client_metadata`
 */
export function requireRegistrationType(metadata: JsonObject, type: EntityRegistrationType): void {
  const { client_registration_types: types } = metadata;
  if (types === undefined || (Array.isArray(types) && types.includes(type))) return;
  throw new DomainError(
    'invalid_client_metadata',
    `client_registration_types: the entity does not list "${type}"`,
  );
}

/**
 * Whether a registration of an entity can be replaced by one that the entity itself addressed to this provider. Anyone
 * can post a statement without `aud`, so a registration made by one must not block the entity.
 */
export function isReplaceableBy(
  current: Pick<FederationMembership, 'isAddressed'>,
  next: Pick<FederationMembership, 'isAddressed'>,
): boolean {
  return next.isAddressed && !current.isAddressed;
}

/**
 * Finds the current registration of an entity that a new one must respect. A registration that has expired or can be
 * replaced is deleted first, with everything issued under it.
 * @throws DomainError `unauthorized_client` when the current registration is suspended, or when the entity addressed it
 *   to this provider and the new one is not addressed.
 */
export async function findCurrentRegistration(
  { clients, clock }: Pick<RegistrationDeps, 'clients' | 'clock'>,
  next: Pick<FederationMembership, 'entityId' | 'isAddressed'>,
): Promise<Client | undefined> {
  for (;;) {
    const client = await clients.findByEntity(next.entityId);
    if (client?.federation === undefined) return undefined;
    const now = nowSeconds(clock);
    const isExpired = isClientExpired(client, now);
    if (!isExpired) requireReplaceable(client, client.federation, next);
    if (!isExpired && !isReplaceableBy(client.federation, next)) return client;
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
    throw notReplaceable(
      'a statement without aud does not replace a registration that the entity addressed to this provider',
    );
}

/** The same error for everything that cannot be trusted; the reason is logged for operators. */
export function notReplaceable(detail: string): DomainError {
  return new DomainError('unauthorized_client', 'The entity cannot be trusted.', { detail });
}
