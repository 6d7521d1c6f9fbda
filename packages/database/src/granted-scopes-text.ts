import { boundedMap } from '@vestibule/protocol/runtime';
import {
  formatGrantedScopes,
  formatScope,
  type GrantedScopes,
  parseGrantedScopes,
  parseScope,
} from '@vestibule/scopes';

/** Capacity of the cache of parsed granted scopes. */
const MAX_KNOWN = 1_000;

// Most clients have the same granted scopes, and parsing them costs more than the rest of a row.
const known = boundedMap<string, GrantedScopes>({ maxEntries: MAX_KNOWN });
const texts = new WeakMap<GrantedScopes, string>();

/** Serializes granted scopes. */
export function grantedScopesText(grantedScopes: GrantedScopes): string {
  const before = texts.get(grantedScopes);
  if (before !== undefined) return before;
  const text = formatScope(formatGrantedScopes(grantedScopes));
  texts.set(grantedScopes, text);
  return text;
}

/**
 * Parses stored granted scopes.
 * @throws TypeError when the text is not a scope
 */
export function grantedScopesFromText(text: string): GrantedScopes {
  const before = known.get(text);
  if (before !== undefined) return before;
  const scope = parseScope(text);
  if (scope === undefined) throw new TypeError('the stored granted scopes of a client are not a scope');
  const grantedScopes = parseGrantedScopes(scope);
  known.set(text, grantedScopes);
  return grantedScopes;
}
