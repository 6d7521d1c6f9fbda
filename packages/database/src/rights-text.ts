import { boundedMap } from '@vestibule/protocol/runtime';
import {
  formatRegistrationRights,
  formatScope,
  parseRegistrationRights,
  parseScope,
  type RegistrationRights,
} from '@vestibule/scopes';

/** Capacity of the cache of parsed rights. */
const MAX_KNOWN = 1_000;

// Most clients have the same rights, and parsing them costs more than the rest of a row.
const known = boundedMap<string, RegistrationRights>({ maxEntries: MAX_KNOWN });
const texts = new WeakMap<RegistrationRights, string>();

/** Serializes rights. */
export function rightsText(rights: RegistrationRights): string {
  const before = texts.get(rights);
  if (before !== undefined) return before;
  const text = formatScope(formatRegistrationRights(rights));
  texts.set(rights, text);
  return text;
}

/**
 * Parses stored rights.
 * @throws TypeError when the text is not a scope
 */
export function rightsFromText(text: string): RegistrationRights {
  const before = known.get(text);
  if (before !== undefined) return before;
  const scope = parseScope(text);
  if (scope === undefined) throw new TypeError('the stored rights of a client are not a scope');
  const rights = parseRegistrationRights(scope);
  known.set(text, rights);
  return rights;
}
