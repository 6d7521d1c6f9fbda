/** The media type of pages. */
export const HTML_CONTENT_TYPE = 'text/html; charset=utf-8';

/** The headers of a page: what it may do, and that nobody guesses its type, frames it or learns where it was. */
export function pageHeaders(policy: string): Readonly<Record<string, string>> {
  return {
    'content-type': HTML_CONTENT_TYPE,
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}
