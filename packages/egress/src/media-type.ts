const CONTENT_TYPE = /^([a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+)[ \t]*(?:;.*)?$/;

/**
 * Parses type and subtype of a `Content-Type` value, in lower case and without parameters (RFC 9110 section 8.3.1).
 *
 * @returns `undefined` when the header is missing, repeated or malformed.
 */
export function parseMediaType(value: unknown): string | undefined {
  return typeof value === 'string' ? CONTENT_TYPE.exec(value.toLowerCase())?.[1] : undefined;
}
