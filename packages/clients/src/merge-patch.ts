import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol';

/**
 * Applies a JSON Merge Patch (RFC 7396 section 2): members of an object are merged, at any depth, `null` takes a member
 * away, and whatever else there is, arrays included, is replaced as a whole. Neither value is changed, and no name of a
 * member reaches a prototype.
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
