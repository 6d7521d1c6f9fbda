import { languageName } from '@vestibule/metadata';
import type { JsonObject } from '@vestibule/protocol';
import { present } from './registration-request.js';

/** Members of which only one can stand. */
const ALTERNATIVES: readonly (readonly string[])[] = [['jwks', 'jwks_uri']];

/** The members that others leave standing: one that is given overrules its alternatives, one that is `null` nothing. */
export function withoutOverruled(members: JsonObject, by: JsonObject): JsonObject {
  const given = Object.entries(by).filter(([, value]) => value !== null);
  const overruled = new Set(given.flatMap(([name]) => alternativesOf(name)));
  return Object.fromEntries(Object.entries(members).filter(([name]) => !overruled.has(languageName(name))));
}

/** The given members, and those others that they leave out; a member that is `null` is left out. */
export function completedBy(given: JsonObject, others: JsonObject): JsonObject {
  return { ...given, ...withoutOverruled(others, given) };
}

/** A member that is given, and one that is there already and of which only one of the two can stand. */
export interface AlternativeClash {
  readonly given: string;
  readonly standing: string;
}

/** The first member that a change gives beside an alternative of it that stays, since the change does not name that. */
export function clashingAlternative(members: JsonObject, change: JsonObject): AlternativeClash | undefined {
  for (const group of ALTERNATIVES) {
    const given = group.find((name) => present(change, name) !== undefined);
    const standing = group.find(
      (name) => present(members, name) !== undefined && !Object.hasOwn(change, name),
    );
    if (given !== undefined && standing !== undefined) return { given, standing };
  }
  return undefined;
}

function alternativesOf(name: string): readonly string[] {
  return ALTERNATIVES.find((group) => group.includes(name)) ?? [languageName(name)];
}
