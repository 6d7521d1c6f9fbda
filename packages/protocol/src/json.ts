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
