import { isUriHost } from '@vestibule/protocol';
import type { PageScript, PageStyle } from './page-style.js';

/** Permissions of a page beyond being shown. */
export interface PagePermissions {
  readonly style: PageStyle;
  /** Form target besides this origin. Browsers also check the redirects after a form submission. */
  readonly formTarget?: string | undefined;
  /** The only allowed script. Default: none. */
  readonly script?: PageScript | undefined;
  /** Whether the script may send requests to the page's own origin. Default false. */
  readonly connectsToOrigin?: boolean | undefined;
  /** URLs whose pages may be framed. Default: none. */
  readonly frames?: readonly string[];
  /** URL of the only allowed image. */
  readonly image?: string | undefined;
}

/**
 * Builds the content security policy of a page: only the given permissions, and no framing by other origins. Sources
 * are URLs that clients registered. Those not in a strict form are left out, so that none can add a directive.
 */
export function pagePolicy({
  style,
  formTarget,
  script,
  connectsToOrigin = false,
  frames = [],
  image,
}: PagePermissions): string {
  const framed = [...new Set(frames)].filter(isStrictSource);
  const hasTarget = formTarget !== undefined && isStrictSource(formTarget);
  const rules = [
    `default-src 'none'`,
    `style-src ${style.styleSource}`,
    ...(script === undefined ? [] : [`script-src ${script.source}`]),
    ...(connectsToOrigin ? [`connect-src 'self'`] : []),
    ...(framed.length === 0 ? [] : [`frame-src ${framed.join(' ')}`]),
    ...(image === undefined || !isStrictImage(image) ? [] : [`img-src ${image}`]),
    `form-action 'self'${hasTarget ? ` ${formTarget}` : ''}`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ];
  return rules.join('; ');
}

/** Schemes that execute or show the content of the URL itself, or read local files. */
const UNSAFE_SCHEMES: ReadonlySet<string> = new Set(
  ['javascript', 'data', 'vbscript', 'file', 'blob', 'filesystem', 'about'].map((scheme) => `${scheme}:`),
);

/**
 * Returns the source expression of a URL: scheme, host and port, or the private-use scheme of an app. `undefined` for
 * invalid URLs, and for hosts with characters other than letters, digits, hyphens and dots (or an IP address):
 * characters such as `;` end a directive.
 */
export function policySource(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { protocol, hostname, origin } = new URL(address);
  if (protocol === 'https:' || protocol === 'http:') return isUriHost(hostname) ? origin : undefined;
  return UNSAFE_SCHEMES.has(protocol) ? undefined : protocol;
}

function isStrictSource(source: string): boolean {
  return policySource(source) === source;
}

/** Images are allowed by their complete URL. */
function isStrictImage(address: string): boolean {
  return policySource(address)?.startsWith('https://') === true && !/[;,\s'"]/.test(address);
}

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
