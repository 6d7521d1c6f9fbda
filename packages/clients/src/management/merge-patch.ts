import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol';

/**
 * Applies a JSON Merge Patch (RFC 7396 section 2): members of objects are merged at any depth, `null` removes a member,
 * and any other value, arrays included, is replaced as a whole. Does not modify its arguments, and no member name
 * reaches a prototype.
 */
export function mergePatch(target: JsonValue | undefined, patch: JsonObject): JsonObject;
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue;
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), change));
  }
  return Object.fromEntries(merged);
}
