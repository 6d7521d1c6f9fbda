import { isEpochSeconds, isJsonObject, type JsonValue, parseClientId, parseJson } from '@vestibule/protocol';
import type { AccessToken } from '@vestibule/tokens';

const LIMITS = { maxDepth: 16, maxMembers: 500 };

type Check = (value: JsonValue) => boolean;

const isText: Check = (value) => typeof value === 'string';

/** How each member of a token is checked; one that is not here is neither written nor read. */
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

/** The state of a token as JSON; `undefined` when it could not be read back: too deep, not storable. */
export function writeTokenState(token: AccessToken): string | undefined {
  const known = Object.entries(token).filter(
    ([name, value]) => Object.hasOwn(CHECKS, name) && value !== undefined,
  );
  const text = JSON.stringify(Object.fromEntries(known));
  return readTokenState(text) === undefined ? undefined : text;
}

/** The state of a token from JSON; `undefined` unless it is exactly that: every member known and of its type. */
export function readTokenState(text: string): AccessToken | undefined {
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
