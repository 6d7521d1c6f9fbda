import { languageName } from '@vestibule/metadata';
import type { JsonObject } from '@vestibule/protocol';

/** Members of which only one can stand. */
const ALTERNATIVES: readonly (readonly string[])[] = [['jwks', 'jwks_uri']];

/** The members that others leave standing: one that is given overrules its alternatives, one that is `null` nothing. */
export function withoutOverruled(members: JsonObject, by: JsonObject): JsonObject {
  const given = Object.entries(by).filter(([, value]) => value !== null);
  const overruled = new Set(given.flatMap(([name]) => alternativesOf(name)));
  return Object.fromEntries(Object.entries(members).filter(([name]) => !overruled.has(languageName(name))));
}

function alternativesOf(name: string): readonly string[] {
  return ALTERNATIVES.find((group) => group.includes(name)) ?? [languageName(name)];
}
