import { isJsonObject, isSameJson, type JsonValue } from '@vestibule/protocol/json';

/** Whether a list contains a value. */
export function contains(list: readonly JsonValue[], value: JsonValue): boolean {
  return list.some((item) => isSameJson(item, value));
}

/** Whether a value is a list whose items are all in another list. */
export function isSubset(value: JsonValue, of: JsonValue): boolean {
  if (!Array.isArray(value) || !Array.isArray(of)) return false;
  const known = keysOf(of);
  return value.every((item) => known.has(keyOf(item)));
}

/** Returns the items of both lists, without repetition. */
export function union(one: readonly JsonValue[], other: readonly JsonValue[]): readonly JsonValue[] {
  const seen = new Set<string>();
  return [...one, ...other].filter((item) => {
    const key = keyOf(item);
    return !seen.has(key) && seen.add(key);
  });
}

/** Returns the items of the first list that are also in the second. */
export function intersection(one: readonly JsonValue[], other: readonly JsonValue[]): readonly JsonValue[] {
  const known = keysOf(other);
  return one.filter((item) => known.has(keyOf(item)));
}

function keysOf(list: readonly JsonValue[]): ReadonlySet<string> {
  return new Set(list.map(keyOf));
}

/**
 * Serializes a value so that equal values have equal keys, whatever the order of members. Lists from outside can be
 * long, and comparing every pair of items would take quadratic time.
 */
function keyOf(value: JsonValue): string {
  if (typeof value !== 'object') return JSON.stringify(value);
  return JSON.stringify(value, (_name, member: unknown) =>
    isJsonObject(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}
