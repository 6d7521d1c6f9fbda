import type { JsonValue } from '@vestibule/protocol';
import { type EntityId, hostOf } from '../entity-id.js';
import { claimOf, readTexts, requireObject } from '../statements/statement-claims.js';

/** Where the hosts of entities must lie (OpenID Federation 1.0 section 6.2.2, RFC 5280 section 4.2.1.10). */
export interface NamingConstraints {
  /** Absent when every host is permitted that is not excluded. */
  readonly permitted?: readonly string[];
  readonly excluded: readonly string[];
}

/**
 * Reads `naming_constraints`.
 * @throws FederationFailure `constraints`.
 */
export function parseNamingConstraints(value: JsonValue): NamingConstraints {
  const members = requireObject(value, 'constraints', 'naming_constraints is not an object');
  const permitted = claimOf(members, 'permitted');
  const excluded = claimOf(members, 'excluded');
  return {
    ...(permitted === undefined ? {} : { permitted: readTexts(permitted, 'constraints') }),
    excluded: excluded === undefined ? [] : readTexts(excluded, 'constraints'),
  };
}

/** Whether the host of an entity is permitted and not excluded; excluding wins. */
export function isNamePermitted({ permitted, excluded }: NamingConstraints, entityId: EntityId): boolean {
  const host = hostOf(entityId);
  const isIn = (names: readonly string[]) => names.some((name) => isWithin(host, name.toLowerCase()));
  return !isIn(excluded) && (permitted === undefined || isIn(permitted));
}

/** A name with a period in front stands for the hosts below it, and not for the domain itself. */
function isWithin(host: string, name: string): boolean {
  return name.startsWith('.') ? host.endsWith(name) : host === name;
}
