import type { JsonObject, JsonValue } from '@vestibule/protocol/json';

/**
 * Members of introspection responses and access tokens that the protocol defines. A consented claim never replaces one.
 */
const PROTOCOL_MEMBERS: ReadonlySet<string> = new Set([
  'active',
  'scope',
  'client_id',
  'username',
  'token_type',
  'exp',
  'iat',
  'nbf',
  'sub',
  'aud',
  'iss',
  'jti',
  'cnf',
  'act',
  'dat',
  'sid',
  'iat_clock',
]);

/** Whether the protocol defines the member. */
export function isProtocolMember(name: string): boolean {
  return PROTOCOL_MEMBERS.has(name);
}

/**
 * Returns the members that the protocol does not define and that can be consented claims; `undefined` without any.
 */
export function withoutProtocolMembers(members: JsonObject): JsonObject | undefined {
  const rest = Object.entries(members).filter(([name]) => !PROTOCOL_MEMBERS.has(name));
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/** Returns the members that are present, in the given order. */
export function presentMembers(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const present: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) present[name] = value;
  }
  return present;
}
