/** A JSON value as it stands on the wire. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object; an absent member is never present as `undefined` once it came from the wire. */
export interface JsonObject {
  readonly [member: string]: JsonValue;
}

/** Whether a value is an object with members, rather than an array, a scalar or `null`. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two values are the same JSON; the order of members does not matter. */
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

/** The same JSON with the members of every object in one order, so that it is written in one way. */
export function inOneOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.every(isScalar) ? value : value.map(inOneOrder);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOneOrder(member)]));
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
