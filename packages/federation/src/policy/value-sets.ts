import { isSameJson, type JsonValue } from '@vestibule/protocol';

/** Whether a list holds a value. */
export function contains(list: readonly JsonValue[], value: JsonValue): boolean {
  return list.some((item) => isSameJson(item, value));
}

/** Whether a value is a list of which every item stands in another one. */
export function isSubset(value: JsonValue, of: JsonValue): boolean {
  return Array.isArray(value) && Array.isArray(of) && value.every((item) => contains(of, item));
}

/** The items of both lists, each of them once. */
export function union(one: readonly JsonValue[], other: readonly JsonValue[]): readonly JsonValue[] {
  const all = [...one, ...other];
  return all.filter((item, index) => all.findIndex((earlier) => isSameJson(earlier, item)) === index);
}

/** The items of the first list that stand in the second too. */
export function intersection(one: readonly JsonValue[], other: readonly JsonValue[]): readonly JsonValue[] {
  return one.filter((item) => contains(other, item));
}
