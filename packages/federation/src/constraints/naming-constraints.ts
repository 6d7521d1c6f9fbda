import { isEntityHost } from '@vestibule/protocol';
import type { JsonValue } from '@vestibule/protocol/json';
import { type EntityId, hostOf } from '../entity-id.js';
import { FederationFailure } from '../federation-failure.js';
import { claimOf, readTexts, requireObject } from '../statements/statement-claims.js';

/** The permitted and excluded hosts of entities (OpenID Federation 1.0 section 6.2.2, RFC 5280 section 4.2.1.10). */
export interface NamingConstraints {
  /** Absent if every host is permitted that is not excluded. */
  readonly permitted?: readonly string[];
  readonly excluded: readonly string[];
}

/**
 * Parses `naming_constraints`. A name that is not a host, or a domain with a leading period, could not be compared with
 * the hosts of entities, so the statement is refused.
 * @throws FederationFailure `constraints`.
 */
export function parseNamingConstraints(value: JsonValue): NamingConstraints {
  const members = requireObject(value, 'constraints', 'naming_constraints is not an object');
  const permitted = claimOf(members, 'permitted');
  const excluded = claimOf(members, 'excluded');
  return {
    ...(permitted === undefined ? {} : { permitted: readNames('permitted', permitted) }),
    excluded: excluded === undefined ? [] : readNames('excluded', excluded),
  };
}

function readNames(name: string, value: JsonValue): readonly string[] {
  const names = readTexts(`naming_constraints.${name}`, value, 'constraints');
  if (names.every(isReadable)) return names;
  throw new FederationFailure(
    'constraints',
    'naming_constraints names something that is no host or domain, such as "rp.example.com" or ".example.com"',
  );
}

/** Whether a name is a host, or a domain with a leading period. */
function isReadable(name: string): boolean {
  return isEntityHost(name.replace(/^\./, ''));
}

/** Whether the host of an entity is permitted and not excluded; exclusion takes precedence. */
export function isNamePermitted({ permitted, excluded }: NamingConstraints, entityId: EntityId): boolean {
  const host = hostOf(entityId);
  const isIn = (names: readonly string[]) => names.some((name) => isWithin(host, name.toLowerCase()));
  return !isIn(excluded) && (permitted === undefined || isIn(permitted));
}

/** A name with a leading period matches the hosts below it, and not the domain itself. */
function isWithin(host: string, name: string): boolean {
  return name.startsWith('.') ? host.endsWith(name) : host === name;
}
