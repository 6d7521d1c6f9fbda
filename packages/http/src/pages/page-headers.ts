/** The media type of pages. */
export const HTML_CONTENT_TYPE = 'text/html; charset=utf-8';

/** Returns the security headers of a page: content security policy, no type sniffing, no framing, no referrer. */
export function pageHeaders(policy: string): Readonly<Record<string, string>> {
  return {
    'content-type': HTML_CONTENT_TYPE,
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}
