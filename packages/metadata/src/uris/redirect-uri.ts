import type { MetadataSettings } from '../metadata-settings.js';
import { examineUri, LOOPBACK_HOSTS, type UriReading } from './uri-reading.js';

/** The owner of a redirect URI, as far as the rules depend on it. */
export interface RedirectUriOwner {
  readonly applicationType: 'web' | 'native';
  /** Whether responses may carry tokens there (the implicit grant). */
  readonly takesTokens: boolean;
  readonly settings: MetadataSettings;
}

// Hosts that mean the local machine, including those that should never be redirected to.
const LOCAL_HOST =
  /(?:^|\.)localhost$|^127\.|^0\.0\.0\.0$|^\[::1?\]$|^\[::ffff:(?:7f[0-9a-f]{2}:[0-9a-f]{1,4}|0:0)\]$/;

// RFC 8252 section 7.1: schemes based on a domain name, which therefore contain a dot.
const PRIVATE_USE_SCHEME = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+$/;

const DOTLESS_SCHEME = /^[a-z][a-z0-9+-]{1,62}$/;

// Schemes that browsers and operating systems handle themselves, so no app can own them.
const SYSTEM_SCHEMES: ReadonlySet<string> = new Set(
  'about,blob,chrome,content,cid,data,dns,facetime,feed,file,filesystem,ftp,geo,git,http,https,imap,intent,irc,jar,javascript,ldap,magnet,mailto,market,mid,ms-settings,news,nfs,resource,rtsp,sftp,shell,sip,sips,sms,smsto,ssh,tel,telnet,urn,vbscript,view-source,ws,wss'.split(
    ',',
  ),
);

/** Whether a lower-case string is a scheme without a dot that an app can own. */
export function isPrivateUseScheme(scheme: string): boolean {
  return DOTLESS_SCHEME.test(scheme) && !SYSTEM_SCHEMES.has(scheme);
}

/** Whether an app can own a lower-case scheme, with a dot or without. */
export function isPrivateUse(scheme: string): boolean {
  return PRIVATE_USE_SCHEME.test(scheme) || isPrivateUseScheme(scheme);
}

/** Whether a parsed host means the local machine. */
export function isLocalHost(host: string): boolean {
  return LOCAL_HOST.test(host);
}

// Path characters that other software may interpret: an encoded slash or backslash, a wildcard.
const AMBIGUOUS_PATH = /%2f|%5c|\*/i;

/**
 * Returns what is wrong with a redirect URI, as the end of a sentence; `undefined` if it is acceptable.
 *
 * Web clients: https on a public host, or on the local machine if the settings allow it; with the implicit grant never
 * http and never `localhost` (OpenID Connect Dynamic Client Registration 1.0 section 2). Native clients: https on a
 * public host, http on a loopback address, or a private-use scheme that has a dot (RFC 8252 section 7) or is listed in
 * the settings. Never a fragment, a user name, dot segments, a wildcard, anything that parsers disagree on, or a query
 * parameter that the redirect itself adds. The URI is kept as it was sent.
 */
export function redirectUriProblem(
  uri: string,
  owner: RedirectUriOwner,
  addedParameters: readonly string[],
): string | undefined {
  const { reading, problem } = examineUri(uri);
  if (reading === undefined) return problem;
  if (reading.hasFragment) return 'must not have a fragment';
  if (AMBIGUOUS_PATH.test(reading.path) || reading.query?.includes('*'))
    return 'must not have a wildcard or an encoded slash';
  if (!isPermittedOrigin(reading, owner)) return originProblem(reading, owner);
  const added = addedParameters.find((name) => new URLSearchParams(reading.query).has(name));
  return added === undefined ? undefined : `must not have the query parameter ${added}`;
}

function originProblem({ scheme }: UriReading, { applicationType, takesTokens }: RedirectUriOwner): string {
  if (applicationType === 'web')
    return `must be an https URI on a public host for a web client${takesTokens ? ' with the implicit grant' : ''}`;
  const rule =
    'must be an https URI, an http URI on a loopback address or a private-use scheme with a dot for a native client';
  return isPrivateUseScheme(scheme)
    ? `${rule} (RFC 8252 section 7.1); schemes without a dot must be listed in PRIVATE_USE_SCHEMES of the server`
    : rule;
}

function isPermittedOrigin(reading: UriReading, owner: RedirectUriOwner): boolean {
  const { scheme, host } = reading;
  if (scheme === 'https' && !isLocalHost(host)) return true;
  if (owner.applicationType === 'web') return isPermittedForDevelopment(reading, owner);
  if (scheme === 'http') return LOOPBACK_HOSTS.has(host);
  return PRIVATE_USE_SCHEME.test(scheme) || owner.settings.privateUseSchemes.includes(scheme);
}

function isPermittedForDevelopment(
  { scheme, host }: UriReading,
  { takesTokens, settings }: RedirectUriOwner,
): boolean {
  if (!settings.allowLoopbackRedirectUris || !LOOPBACK_HOSTS.has(host)) return false;
  if (takesTokens) return scheme === 'https' && host !== 'localhost';
  return scheme === 'https' || scheme === 'http';
}
