import type { PageLook, PageScript } from './page-look.js';

/** What browsers may do with a page beyond showing it. */
export interface PagePermissions {
  readonly look: PageLook;
  /** Where its forms may lead besides here: browsers watch the redirects after them too. */
  readonly formTarget?: string | undefined;
  /** The one script that runs; none by default. */
  readonly script?: PageScript | undefined;
  /** Whose pages it may frame; nobody's by default. */
  readonly frames?: readonly string[];
  /** The address of the one picture that it may load. */
  readonly image?: string | undefined;
}

/** The content security policy of one page: nothing but what is named, and no page of somebody else around it. */
export function pagePolicy({ look, formTarget, script, frames = [], image }: PagePermissions): string {
  const rules = [
    `default-src 'none'`,
    `style-src ${look.styleSource}`,
    ...(script === undefined ? [] : [`script-src ${script.source}`]),
    ...(frames.length === 0 ? [] : [`frame-src ${[...new Set(frames)].join(' ')}`]),
    ...(image === undefined ? [] : [`img-src ${image}`]),
    `form-action 'self'${formTarget === undefined ? '' : ` ${formTarget}`}`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ];
  return rules.join('; ');
}

/**
 * Where an address leads, as a policy names it: scheme, host and port, or the scheme of an application on the device.
 * `undefined` when it is no address.
 */
export function policySource(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { protocol, origin } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? origin : protocol;
}
