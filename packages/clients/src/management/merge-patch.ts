import { CHOICE_MEMBERS } from '@vestibule/metadata';
import { languageName } from '@vestibule/metadata/language-names';
import { DomainError } from '@vestibule/protocol';
import { isJsonObject, type JsonObject, type JsonValue, MAX_BODY_BYTES } from '@vestibule/protocol/json';
import type { Client } from '../client.js';
import { clashingAlternative } from '../registration/alternative-members.js';

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

/**
 * Applies a JSON Merge Patch to the current registration: metadata, defaults included, `data` and the identifier, but
 * no credential. The patch must set a registered member to `null` to replace it with its alternative, since nothing is
 * removed that the patch does not name. A registered value stays beside a list of supported values that contains it.
 * @throws DomainError `invalid_request` when the patch is not an object or the registration becomes too large;
 *   `invalid_client_metadata` when an alternative of a patched member would stay
 */
export function patchedRegistration({ id, metadata, data }: Client, patch: unknown): JsonObject {
  if (!isJsonObject(patch)) throw new DomainError('invalid_request', 'The body must be a JSON object.');
  const registered: JsonObject = { client_id: id, ...metadata, ...(data && { data }) };
  const clash = clashingAlternative(registered, patch);
  if (clash !== undefined) {
    throw new DomainError(
      'invalid_client_metadata',
      `${clash.given}: conflicts with the registered ${clash.registered}; the patch must set ${clash.registered} to null`,
    );
  }
  const kept = withoutUnlistedValues(withoutOtherSpellings(registered, patch), patch);
  const patched = mergePatch(kept, patch);
  requireBearable(patched);
  return patched;
}

// Language tags are compared without case (RFC 5646 section 2.1.1).
function withoutOtherSpellings(registered: JsonObject, patch: JsonObject): JsonObject {
  const named = new Set(Object.keys(patch).map(languageName));
  const kept = Object.entries(registered).filter(
    ([name]) => Object.hasOwn(patch, name) || !named.has(languageName(name)),
  );
  return Object.fromEntries(kept);
}

/** Removes the values that a list of the patch excludes: the server chooses others. */
function withoutUnlistedValues(registered: JsonObject, patch: JsonObject): JsonObject {
  const excluded = new Set<string>();
  for (const [list, member] of CHOICE_MEMBERS) {
    const listed = patch[list];
    const value = registered[member];
    if (
      Array.isArray(listed) &&
      !Object.hasOwn(patch, member) &&
      value !== undefined &&
      !listed.includes(value)
    )
      excluded.add(member);
  }
  return Object.fromEntries(Object.entries(registered).filter(([name]) => !excluded.has(name)));
}

// The limit is that of an update's body, so that a patched registration can be read and sent back.
function requireBearable(registration: JsonObject): void {
  const bytes = Buffer.byteLength(JSON.stringify(registration));
  if (bytes > MAX_BODY_BYTES)
    throw new DomainError('invalid_request', 'The patched registration is too large.');
}
