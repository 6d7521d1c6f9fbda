import { CHOICE_MEMBERS, choicesOfMember } from '@vestibule/metadata';
import { languageName } from '@vestibule/metadata/language-names';
import type { JsonObject } from '@vestibule/protocol/json';
import { present } from './registration-request.js';

/** Groups of members that exclude each other. */
const ALTERNATIVES: readonly (readonly string[])[] = [['jwks', 'jwks_uri']];

/** Removes the members whose alternatives are given in `by`. A member that is `null` in `by` removes nothing. */
export function withoutOverruled(members: JsonObject, by: JsonObject): JsonObject {
  const given = Object.entries(by).filter(([, value]) => value !== null);
  const overruled = new Set(given.flatMap(([name]) => alternativesOf(name)));
  return Object.fromEntries(Object.entries(members).filter(([name]) => !overruled.has(languageName(name))));
}

/** Adds to the given members those of `others` that do not conflict with them. A member that is `null` is left out. */
export function completedBy(given: JsonObject, others: JsonObject): JsonObject {
  return { ...given, ...withoutOverruled(others, given) };
}

/** Two alternative members, one given by a change and one that would stay beside it. */
export interface AlternativeClash {
  readonly given: string;
  readonly registered: string;
}

/** Finds the first member of a change whose alternative would stay beside it, because the change does not name that. */
export function clashingAlternative(members: JsonObject, change: JsonObject): AlternativeClash | undefined {
  for (const group of ALTERNATIVES) {
    const given = group.find((name) => present(change, name) !== undefined);
    const registered = group.find(
      (name) => present(members, name) !== undefined && !Object.hasOwn(change, name),
    );
    if (given !== undefined && registered !== undefined) return { given, registered };
  }
  return undefined;
}

/** A list of supported values and the member for the one that is registered say the same, in two ways. */
function alternativesOf(name: string): readonly string[] {
  const group = ALTERNATIVES.find((each) => each.includes(name));
  if (group !== undefined) return group;
  const other = CHOICE_MEMBERS.get(name) ?? choicesOfMember(name);
  return other === undefined ? [languageName(name)] : [name, other];
}
