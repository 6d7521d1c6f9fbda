import type { JsonValue } from '@vestibule/protocol/json';
import type { AccessToken } from '@vestibule/resource-server';
import type { HeaderFields } from '../decision.js';

/** The headers that tell the upstream about the access token, with what they are read from. */
const VALUES = {
  'X-Token-Subject': ({ subject }) => encoded(subject),
  'X-Token-Client': ({ clientId }) => encoded(clientId),
  'X-Token-Scope': ({ scope }) => scope.map(encoded).join(' '),
  'X-Token-Username': ({ claims }) => encoded(claims['username']),
  'X-Token-Issuer': ({ claims }) => encoded(claims['iss']),
  'X-Token-Expiry': ({ expiresAt }) => (expiresAt === undefined ? '' : String(expiresAt)),
} as const satisfies Readonly<Record<string, (token: AccessToken) => string>>;

/** Names of the identity headers. */
export const IDENTITY_HEADERS: readonly string[] = Object.keys(VALUES);

/** The identity headers of a request without an access token. */
export const NO_IDENTITY: HeaderFields = Object.freeze(
  Object.fromEntries(IDENTITY_HEADERS.map((name) => [name, ''])),
);

/** The identity headers of a request with an access token: all of them, and empty where the token tells nothing. */
export function identityHeaders(token: AccessToken): HeaderFields {
  return Object.fromEntries(Object.entries(VALUES).map(([name, read]) => [name, read(token)]));
}

/** What is not visible ASCII, and `%`, so that every value is decoded to what it was. */
const ENCODED = /[^!-$&-~]+|%/g;

function encoded(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.replace(ENCODED, (text) => encodeURIComponent(text)) : '';
}
