const UNSAFE = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g;

/**
 * Reduces a description to the characters that RFC 6749 section 5.2 and RFC 6750 section 3 allow in
 * `error_description`, so that it can be quoted in a header. Descriptions are fixed sentences; this is a safeguard.
 */
export function safeDescription(description: string): string {
  return description.replace(UNSAFE, "'");
}
