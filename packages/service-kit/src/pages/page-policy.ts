import { isUriHost } from '@vestibule/protocol';
import type { PageLook, PageScript } from './page-look.js';

/** What browsers may do with a page beyond showing it. */
export interface PagePermissions {
  readonly look: PageLook;
  /** Where its forms may lead besides here: browsers watch the redirects after them too. */
  readonly formTarget?: string | undefined;
  /** The one script that runs; none by default. */
  readonly script?: PageScript | undefined;
  /** Whether that script may ask the server that the page came from. Default not. */
  readonly asksHere?: boolean | undefined;
  /** Whose pages it may frame; nobody's by default. */
  readonly frames?: readonly string[];
  /** The address of the one picture that it may load. */
  readonly image?: string | undefined;
}

/**
 * The content security policy of one page: only what is named, and no page of another origin around it. Sources are
 * addresses that clients registered: any that is not of the strict form is left out, so that none adds a directive.
 */
export function pagePolicy({
  look,
  formTarget,
  script,
  asksHere = false,
  frames = [],
  image,
}: PagePermissions): string {
  const framed = [...new Set(frames)].filter(isStrictSource);
  const hasTarget = formTarget !== undefined && isStrictSource(formTarget);
  const rules = [
    `default-src 'none'`,
    `style-src ${look.styleSource}`,
    ...(script === undefined ? [] : [`script-src ${script.source}`]),
    ...(asksHere ? [`connect-src 'self'`] : []),
    ...(framed.length === 0 ? [] : [`frame-src ${framed.join(' ')}`]),
    ...(image === undefined || !isStrictImage(image) ? [] : [`img-src ${image}`]),
    `form-action 'self'${hasTarget ? ` ${formTarget}` : ''}`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ];
  return rules.join('; ');
}

/** Schemes that run or show what the address itself holds, or read local files. */
const UNSAFE_SCHEMES: ReadonlySet<string> = new Set(
  ['javascript', 'data', 'vbscript', 'file', 'blob', 'filesystem', 'about'].map((scheme) => `${scheme}:`),
);

/**
 * The source of an address in a policy: scheme, host and port, or the scheme of an app on the device. `undefined` for
 * what is not an address, and for a host with anything but letters, digits, hyphens and dots (or an IP address): other
 * characters, such as `;`, end a directive.
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

/** A picture is named by its whole address. */
function isStrictImage(address: string): boolean {
  return policySource(address)?.startsWith('https://') === true && !/[;,\s'"]/.test(address);
}
