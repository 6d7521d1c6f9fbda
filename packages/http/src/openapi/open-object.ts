import type { JsonObject } from '@vestibule/protocol/json';
import Type, { type TSchema } from 'typebox';

/** An object with members of any name and value, for which code generators produce a usable type. */
export function openObject(description: string) {
  return Type.Unsafe<JsonObject>({ type: 'object', description, additionalProperties: true });
}

/** An object with members of any name and one value type. */
export function objectOf(values: TSchema, description: string) {
  return Type.Unsafe<object>({ type: 'object', description, additionalProperties: values });
}
