import type { EntityMetadata } from '@vestibule/metadata/policy';
import type { EntityId } from '../entity-id.js';
import { FederationFailure } from '../federation-failure.js';
import { ALWAYS_ALLOWED_TYPE, type Constraints } from './constraints.js';
import { isNamePermitted } from './naming-constraints.js';

/**
 * Checks the constraints of a superior on the path below it.
 * @param below The entities below the superior, the subject of the chain first and its immediate subordinate last.
 * @throws FederationFailure `max_path_length` or `naming_constraints`.
 */
export function requireWithinConstraints(
  { maxPathLength, naming }: Constraints,
  below: readonly EntityId[],
): void {
  const intermediates = below.length - 1;
  if (maxPathLength !== undefined && intermediates > maxPathLength)
    throw new FederationFailure(
      'max_path_length',
      'there are more intermediates than max_path_length allows',
    );
  if (naming !== undefined && !below.every((entityId) => isNamePermitted(naming, entityId)))
    throw new FederationFailure('naming_constraints', 'an entity is not within the naming constraints');
}

/** Metadata without the entity types that a superior does not allow (OpenID Federation 1.0 section 6.2.3). */
export function allowedMetadata(
  { allowedEntityTypes }: Constraints,
  metadata: EntityMetadata,
): EntityMetadata {
  if (allowedEntityTypes === undefined) return metadata;
  return Object.fromEntries(
    Object.entries(metadata).filter(
      ([entityType]) => entityType === ALWAYS_ALLOWED_TYPE || allowedEntityTypes.includes(entityType),
    ),
  );
}
