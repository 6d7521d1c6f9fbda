const MAX_LENGTH = 255;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;
/** A string of RFC 9651 section 3.3.3 without spaces; only quotes and backslashes are escaped. */
const QUOTED = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

/**
 * Parses `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header section 2.1): a structured string, or the same
 * characters without quotes; 1 to 255 visible ASCII characters. `undefined` for anything else, including a repeated
 * header.
 */
export function parseIdempotencyKey(header: string | readonly string[]): string | undefined {
  const key = typeof header === 'string' ? unquote(header) : undefined;
  return key !== undefined && key.length <= MAX_LENGTH && VISIBLE_ASCII.test(key) ? key : undefined;
}

function unquote(header: string): string | undefined {
  if (!header.startsWith('"')) return header;
  return QUOTED.exec(header)?.[1]?.replace(/\\(["\\])/g, '$1');
}
