import type { EntityMetadata } from '@vestibule/metadata/policy';
import type { JsonValue } from '@vestibule/protocol/json';
import { ofMember } from '../federation-failure.js';
import { requireObject, withoutNulls } from './statement-claims.js';

/**
 * Reads a `metadata` claim. A member that is `null` counts as absent, an entity type as well as a parameter: some
 * programs write `null` for every parameter that they have no value for.
 * @throws FederationFailure `metadata`.
 */
export function readMetadata(claim: JsonValue | undefined): EntityMetadata {
  if (claim === undefined) return {};
  const entityTypes = withoutNulls(requireObject(claim, 'metadata', 'metadata is not an object'));
  return Object.fromEntries(
    Object.entries(entityTypes).map(([entityType, value]) => {
      const detail = ofMember(entityType, 'the metadata of the entity type is not an object');
      const members = requireObject(value, 'metadata', detail);
      return [entityType, withoutNulls(members)];
    }),
  );
}
