import type { JsonValue } from '@vestibule/protocol/json';
import { FederationFailure } from '../federation-failure.js';
import { claimOf, readTexts, requireObject } from '../statements/statement-claims.js';
import { type NamingConstraints, parseNamingConstraints } from './naming-constraints.js';

/** The constraints of a superior (OpenID Federation 1.0 section 6.2); a missing member allows everything. */
export interface Constraints {
  /** Maximum number of intermediates between the superior and the subject of a chain. */
  readonly maxPathLength?: number;
  readonly naming?: NamingConstraints;
  /** `federation_entity` is always allowed. */
  readonly allowedEntityTypes?: readonly string[];
}

/** The entity type of every member of a federation, which no constraint removes. */
export const ALWAYS_ALLOWED_TYPE = 'federation_entity';

/** The constraints that allow everything. */
export const EMPTY_CONSTRAINTS: Constraints = {};

/**
 * Parses a `constraints` claim; unknown members are ignored.
 * @throws FederationFailure `constraints`.
 */
export function parseConstraints(claim: unknown): Constraints {
  const members = requireObject(claim, 'constraints', 'constraints is not an object');
  const maxPathLength = claimOf(members, 'max_path_length');
  const naming = claimOf(members, 'naming_constraints');
  const types = claimOf(members, 'allowed_entity_types');
  return {
    ...(maxPathLength === undefined ? {} : { maxPathLength: readLength(maxPathLength) }),
    ...(naming === undefined ? {} : { naming: parseNamingConstraints(naming) }),
    ...(types === undefined ? {} : { allowedEntityTypes: readEntityTypes(types) }),
  };
}

function readEntityTypes(value: JsonValue): readonly string[] {
  const types = readTexts('allowed_entity_types', value, 'constraints');
  if (!types.includes(ALWAYS_ALLOWED_TYPE)) return types;
  throw new FederationFailure(
    'constraints',
    `allowed_entity_types must not name ${ALWAYS_ALLOWED_TYPE}, which is always allowed`,
  );
}

function readLength(value: JsonValue): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new FederationFailure('constraints', 'max_path_length is not a whole number');
}
