import type { MetadataSettings } from './metadata-settings.js';
import { examineUri, LOOPBACK_HOSTS, type UriReading } from './uri-reading.js';

/** For whom a redirect URI is judged. */
export interface RedirectUriOwner {
  readonly applicationType: 'web' | 'native';
  /** Whether answers may carry tokens there (the implicit grant). */
  readonly takesTokens: boolean;
  readonly settings: MetadataSettings;
}

// Hosts that mean this machine, those that nobody should redirect to included.
const LOCAL_HOST =
  /(?:^|\.)localhost$|^127\.|^0\.0\.0\.0$|^\[::1?\]$|^\[::ffff:(?:7f[0-9a-f]{2}:[0-9a-f]{1,4}|0:0)\]$/;

// RFC 8252 section 7.1: schemes based on a domain name, which therefore hold a dot.
const PRIVATE_USE_SCHEME = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+$/;

const DOTLESS_SCHEME = /^[a-z][a-z0-9+-]{1,62}$/;

// Schemes that browsers and systems act on themselves: no application can own them.
const SYSTEM_SCHEMES: ReadonlySet<string> = new Set(
  'about,blob,chrome,content,cid,data,dns,facetime,feed,file,filesystem,ftp,geo,git,http,https,imap,intent,irc,jar,javascript,ldap,magnet,mailto,market,mid,ms-settings,news,nfs,resource,rtsp,sftp,shell,sip,sips,sms,smsto,ssh,tel,telnet,urn,vbscript,view-source,ws,wss'.split(
    ',',
  ),
);

/** Whether a text, in lower case, is a scheme without a dot that an application can own. */
export function isPrivateUseScheme(scheme: string): boolean {
  return DOTLESS_SCHEME.test(scheme) && !SYSTEM_SCHEMES.has(scheme);
}

// What tools downstream take for something else than a character of the path: a slash, a backslash, a pattern.
const AMBIGUOUS_PATH = /%2f|%5c|\*/i;

/**
 * What is wrong with a redirect URI, as the end of a sentence; `undefined` when it is acceptable.
 *
 * Web clients: https on another machine, or on this one where the settings allow it; with the implicit grant never http
 * and never `localhost` (OpenID Connect Dynamic Client Registration 1.0 section 2). Native clients: https on another
 * machine, http on a loopback address, or a private-use scheme that has a dot (RFC 8252 section 7) or is listed in the
 * settings. Never a fragment, a user name, dot segments, a wildcard, anything that its readings disagree on, or a query
 * parameter with the name of one that is added when someone is sent there. The URI itself is kept as it was given.
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
  if (scheme === 'https' && !LOCAL_HOST.test(host)) return true;
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
