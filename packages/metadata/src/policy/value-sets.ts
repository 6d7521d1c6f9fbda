import { isJsonObject, isSameJson, type JsonValue } from '@vestibule/protocol';

/** Whether a list holds a value. */
export function contains(list: readonly JsonValue[], value: JsonValue): boolean {
  return list.some((item) => isSameJson(item, value));
}

/** Whether a value is a list of which every item stands in another one. */
export function isSubset(value: JsonValue, of: JsonValue): boolean {
  if (!Array.isArray(value) || !Array.isArray(of)) return false;
  const known = keysOf(of);
  return value.every((item) => known.has(keyOf(item)));
}

/** The items of both lists, each of them once. */
export function union(one: readonly JsonValue[], other: readonly JsonValue[]): readonly JsonValue[] {
  const seen = new Set<string>();
  return [...one, ...other].filter((item) => {
    const key = keyOf(item);
    return !seen.has(key) && seen.add(key);
  });
}

/** The items of the first list that stand in the second too. */
export function intersection(one: readonly JsonValue[], other: readonly JsonValue[]): readonly JsonValue[] {
  const known = keysOf(other);
  return one.filter((item) => known.has(keyOf(item)));
}

function keysOf(list: readonly JsonValue[]): ReadonlySet<string> {
  return new Set(list.map(keyOf));
}

/**
 * A text that values have in common exactly when they are the same, whatever the order of members: strangers' lists are
 * long, and comparing every item with every other one would let them keep us busy.
 */
function keyOf(value: JsonValue): string {
  if (typeof value !== 'object') return JSON.stringify(value);
  return JSON.stringify(value, (_name, member: unknown) =>
    isJsonObject(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}
