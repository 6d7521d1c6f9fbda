import { languageName } from '@vestibule/metadata';
import { DomainError, isJsonObject, type JsonObject, MAX_BODY_BYTES } from '@vestibule/protocol';
import { clashingAlternative } from './alternative-members.js';
import type { Client } from './client.js';
import { mergePatch } from './merge-patch.js';

/**
 * The registration that a JSON Merge Patch makes out of the present one, as an update would bring it: metadata,
 * defaults included, `data` and the identifier, but no credential. One of two members that exclude each other takes the
 * place of the other only where the patch says so by `null`: nothing goes that it does not name.
 * @throws DomainError `invalid_request` when the patch is no object or the registration becomes too large;
 *   `invalid_client_metadata` when a member that excludes one of the patch stays
 */
export function patchedRegistration({ id, metadata, data }: Client, patch: unknown): JsonObject {
  if (!isJsonObject(patch)) throw new DomainError('invalid_request', 'The body must be a JSON object.');
  const registered: JsonObject = { client_id: id, ...metadata, ...(data && { data }) };
  const clash = clashingAlternative(registered, patch);
  if (clash !== undefined) {
    throw new DomainError(
      'invalid_client_metadata',
      `The client metadata member ${clash.given} does not go with ${clash.standing}, which is registered: a patch must set that to null.`,
    );
  }
  const patched = mergePatch(withoutOtherSpellings(registered, patch), patch);
  requireBearable(patched);
  return patched;
}

// Whatever the case of its tag, a member in a language is the registered one (RFC 5646 section 2.1.1).
function withoutOtherSpellings(registered: JsonObject, patch: JsonObject): JsonObject {
  const named = new Set(Object.keys(patch).map(languageName));
  const kept = Object.entries(registered).filter(
    ([name]) => Object.hasOwn(patch, name) || !named.has(languageName(name)),
  );
  return Object.fromEntries(kept);
}

// As much as the body of an update holds: what patches have made can be read and written back.
function requireBearable(registration: JsonObject): void {
  const bytes = Buffer.byteLength(JSON.stringify(registration));
  if (bytes > MAX_BODY_BYTES)
    throw new DomainError('invalid_request', 'The registration that the patch makes is too large.');
}
