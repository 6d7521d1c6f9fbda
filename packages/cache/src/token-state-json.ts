import { isEpochSeconds, parseClientId } from '@vestibule/protocol';
import { isJsonObject, type JsonValue, parseJson } from '@vestibule/protocol/json';
import type { AccessToken } from '@vestibule/tokens';

const LIMITS = { maxDepth: 16, maxMembers: 500 };

type Check = (value: JsonValue) => boolean;

const isText: Check = (value) => typeof value === 'string';

/** The check of each member of a token; other members are neither written nor read. */
const CHECKS: { readonly [Member in keyof Required<AccessToken>]: Check } = {
  clientId: (value) => parseClientId(value) !== undefined,
  scope: isText,
  audience: (value) => Array.isArray(value) && value.every(isText),
  issuer: isText,
  issuedAt: isEpochSeconds,
  notBefore: isEpochSeconds,
  expiresAt: isEpochSeconds,
  subject: isText,
  username: isText,
  jti: isText,
  confirmation: isJsonObject,
  actor: isJsonObject,
  data: isJsonObject,
  claims: isJsonObject,
  authorizationId: isText,
  sessionId: isText,
  clientExpiresAt: isEpochSeconds,
};

const REQUIRED = ['clientId', 'scope', 'audience', 'issuer', 'issuedAt', 'expiresAt'] as const;

const MEMBERS = Object.keys(CHECKS).filter(isKnown);

/** Printable ASCII without escapes: no text in such JSON can contain characters that may not be stored. */
const PLAIN_JSON = /^[ -[\]-~]*$/;

/** Serializes a token state; `undefined` when it could not be read back: nested too deeply or not storable. */
export function writeTokenState(token: AccessToken): string | undefined {
  const known: Record<string, unknown> = {};
  for (const name of MEMBERS) if (token[name] !== undefined) known[name] = token[name];
  const text = JSON.stringify(known);
  // Nearly all states are plain and flat, and need no parsing to check that.
  const isReadable = isFlat(token) && PLAIN_JSON.test(text) ? isAccessToken(known) : parseTokenState(text);
  return isReadable ? text : undefined;
}

function isFlat({ confirmation, actor, data, claims }: AccessToken): boolean {
  return [confirmation, actor, data, claims].every((member) => member === undefined);
}

/** Parses a token state; `undefined` unless every member is known and has its type. */
export function parseTokenState(text: string): AccessToken | undefined {
  try {
    const value: unknown = parseJson(text, LIMITS);
    return isAccessToken(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isAccessToken(value: unknown): value is AccessToken {
  return (
    isJsonObject(value) &&
    REQUIRED.every((name) => Object.hasOwn(value, name)) &&
    Object.keys(value).every((name) => isKnown(name) && CHECKS[name](value[name] ?? null))
  );
}

function isKnown(name: string): name is keyof typeof CHECKS {
  return Object.hasOwn(CHECKS, name);
}
