import type { EntityMetadata } from '@vestibule/metadata/policy';

/**
 * The metadata of an entity with the overrides of its immediate superior: members of the superior replace those of the
 * same name, in the entity types that the entity itself has (OpenID Federation 1.0 section 3.1.1).
 */
export function withSuperiorMetadata(own: EntityMetadata, stated: EntityMetadata): EntityMetadata {
  return Object.fromEntries(
    Object.entries(own).map(([entityType, members]) => {
      const overriding = Object.hasOwn(stated, entityType) ? stated[entityType] : undefined;
      return [entityType, { ...members, ...overriding }];
    }),
  );
}
