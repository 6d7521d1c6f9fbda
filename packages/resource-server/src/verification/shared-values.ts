import type { JsonObject, JsonValue } from '@vestibule/protocol/json';
import { boundedMap } from '@vestibule/protocol/runtime';

/** Values that many tokens have in common, so that cached tokens share them. */
export interface SharedValues {
  /** Replaces values of members that occurred before with the former ones. */
  members(members: JsonObject): JsonObject;
  /** The values of a scope (RFC 6749 section 3.3). */
  scope(text: string): readonly string[];
}

/** Members whose values many tokens have in common. */
const SHARED: ReadonlySet<string> = new Set(['iss', 'client_id', 'scope', 'token_type', 'aud']);

/** More clients, scopes and audiences than most deployments have. Beyond it, tokens have values of their own again. */
const MAX_VALUES = 10_000;
/** Longer values are not held a second time, to be compared, in characters. */
const MAX_LENGTH = 1_024;

/** Creates an empty collection. */
export function sharedValues(): SharedValues {
  const texts = boundedMap<string, string>({ maxEntries: MAX_VALUES });
  const lists = boundedMap<string, readonly JsonValue[]>({ maxEntries: MAX_VALUES });
  const scopes = boundedMap<string, readonly string[]>({ maxEntries: MAX_VALUES });
  const text = (value: string) => (value.length > MAX_LENGTH ? value : former(texts, value, () => value));
  const list = (value: readonly JsonValue[]) => {
    const key = JSON.stringify(value);
    return key.length > MAX_LENGTH ? value : former(lists, key, () => value);
  };
  const shared = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return text(value);
    return Array.isArray(value) ? list(value) : value;
  };
  const scopeList = (value: string) => Object.freeze(value.split(' ').filter((each) => each !== ''));
  return {
    // Not a spread: V8 gives each frozen copy of that kind a hidden class of its own, of 400 bytes.
    members: (members) =>
      Object.fromEntries(
        Object.entries(members).map(([name, value]) => [name, SHARED.has(name) ? shared(value) : value]),
      ),
    scope: (value) =>
      value.length > MAX_LENGTH ? scopeList(value) : former(scopes, value, () => scopeList(value)),
  };
}

function former<Value extends NonNullable<unknown>>(
  values: { get(key: string): Value | undefined; set(key: string, value: Value): void },
  key: string,
  make: () => Value,
): Value {
  const found = values.get(key);
  if (found !== undefined) return found;
  const value = make();
  values.set(key, value);
  return value;
}
