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

const MEMBERS = Object.keys(CHECKS).filter(isKnown);

/** Printable ASCII with nothing escaped: no text in such JSON can hold what may not be stored. */
const PLAIN_JSON = /^[ -[\]-~]*$/;

/** The state of a token as JSON; `undefined` when it could not be read back: too deep, not storable. */
export function writeTokenState(token: AccessToken): string | undefined {
  const known: Record<string, unknown> = {};
  for (const name of MEMBERS) if (token[name] !== undefined) known[name] = token[name];
  const text = JSON.stringify(known);
  // Told without reading it where it is plain and flat, which nearly all are.
  const isReadable = isFlat(token) && PLAIN_JSON.test(text) ? isAccessToken(known) : readTokenState(text);
  return isReadable ? text : undefined;
}

function isFlat({ confirmation, actor, data, claims }: AccessToken): boolean {
  return [confirmation, actor, data, claims].every((member) => member === undefined);
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
