/**
 * Creates a matcher for `Content-Type` values of the given media types: the type in any case, optionally followed by
 * the single parameter `charset=utf-8`, and by semicolons without a parameter (RFC 9110 section 5.6.6). It rejects
 * everything that another parser could read as a different type or character set.
 */
export function contentTypeMatcher(mediaTypes: readonly string[]): (header: string | undefined) => boolean {
  const exact = new Set(mediaTypes);
  return (header) => header !== undefined && (exact.has(header) || exact.has(withoutUtf8(header)));
}

/** `; charset=utf-8` with optional spaces and quotes, as RFC 9110 section 8.3.1 shows equivalent spellings. */
const UTF8_PARAMETER =
  /^([!-:<-~]{3,100})(?: {0,4}; {0,4}charset=(?:utf-8|"utf-8"))?(?: {0,4};){0,4} {0,4}$/i;

function withoutUtf8(header: string): string {
  return UTF8_PARAMETER.exec(header)?.[1]?.toLowerCase() ?? '';
}
