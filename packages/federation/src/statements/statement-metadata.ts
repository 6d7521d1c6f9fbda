import type { JsonObject, JsonValue } from '@vestibule/protocol';
import { FederationFailure } from '../federation-failure.js';
import type { EntityMetadata } from '../policy/apply-policy.js';
import { requireObject } from './statement-claims.js';

/**
 * Reads a `metadata` claim. `null` spoils a strict statement (OpenID Federation 1.0 section 5); elsewhere it means the
 * same as leaving the member out.
 * @throws FederationFailure `metadata`.
 */
export function readMetadata(claim: JsonValue | undefined, isStrict: boolean): EntityMetadata {
  if (claim === undefined) return {};
  const entityTypes = requireObject(claim, 'metadata', 'metadata is not an object');
  return Object.fromEntries(
    Object.entries(entityTypes).map(([entityType, value]) => {
      const members = requireObject(value, 'metadata', 'the metadata of an entity type is not an object');
      return [entityType, withoutNulls(members, isStrict)];
    }),
  );
}

function withoutNulls(members: JsonObject, isStrict: boolean): JsonObject {
  const present = Object.entries(members).filter(([, value]) => value !== null);
  if (isStrict && present.length < Object.keys(members).length)
    throw new FederationFailure('metadata', 'a metadata parameter is null');
  return Object.fromEntries(present);
}
