import type { EntityId } from '../entity-id.js';
import { FederationFailure } from '../federation-failure.js';

/** Entities that an operator does not trust in any position: subject, superior, anchor, trust mark issuer or owner. */
export type DeniedEntities = ReadonlySet<EntityId>;

/** @throws FederationFailure `denied` if one of the entities is on the deny list. */
export function requireNoneDenied(
  entities: readonly EntityId[],
  { denied }: { readonly denied?: DeniedEntities },
): void {
  if (denied !== undefined && entities.some((entity) => denied.has(entity)))
    throw new FederationFailure('denied', 'an entity is on the deny list');
}
