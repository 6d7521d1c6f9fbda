/** A JSON value. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. Parsed objects have no members that are `undefined`. */
export interface JsonObject {
  readonly [member: string]: JsonValue;
}

/** Whether a value is an object rather than an array, a scalar or `null`. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two values are the same JSON, whatever the order of members. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [members, others] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  return (
    members.size === others.size &&
    [...members].every(([name, value]) => others.has(name) && isSameJson(value, others.get(name)))
  );
}

/** Sorts the members of every object, for a canonical serialization. */
export function inOneOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.every(isScalar) ? value : value.map(inOneOrder);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOneOrder(member)]));
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
