import type { MetadataSettings } from './metadata-settings.js';
import type { UriReading } from './uri-reading.js';

/** For whom a redirect URI is judged. */
export interface RedirectUriOwner {
  readonly applicationType: 'web' | 'native';
  /** Whether answers may carry tokens there (the implicit grant). */
  readonly takesTokens: boolean;
  readonly settings: MetadataSettings;
}

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

// Hosts that mean this machine, those that nobody should redirect to included.
const LOCAL_HOST =
  /(?:^|\.)localhost$|^127\.|^0\.0\.0\.0$|^\[::1?\]$|^\[::ffff:(?:7f[0-9a-f]{2}:[0-9a-f]{1,4}|0:0)\]$/;

// RFC 8252 section 7.1: schemes based on a domain name, which therefore hold a dot.
const PRIVATE_USE_SCHEME = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+$/;

// What tools downstream take for something else than a character of the path: a slash, a backslash, a pattern.
const AMBIGUOUS_PATH = /%2f|%5c|\*/i;

// Parameters of authorisation answers (RFC 6749 section 4.1.2, OpenID Connect Core 1.0 section 3.3.2.5, RFC 9207
// section 2, JARM section 2.3).
const ANSWER_PARAMETERS = ['code', 'state', 'error', 'iss', 'id_token', 'access_token', 'response'];

/**
 * What is wrong with a redirect URI that was read by `readUri`, as the end of a sentence; `undefined` when it is
 * acceptable.
 *
 * Web clients: https on another machine, or on this one where the settings allow it; with the implicit grant never http
 * and never `localhost` (OpenID Connect Dynamic Client Registration 1.0 section 2). Native clients: https on another
 * machine, http on a loopback address, or a private-use scheme with a dot (RFC 8252 section 7). Never a fragment, a
 * user name, dot segments, a wildcard, or anything that its readings disagree on. The URI itself is kept as it was
 * given.
 */
export function redirectUriProblem(
  reading: UriReading | undefined,
  owner: RedirectUriOwner,
): string | undefined {
  if (reading === undefined) return 'must hold absolute URIs that every parser reads alike';
  if (reading.hasFragment) return 'must hold URIs without fragment';
  if (AMBIGUOUS_PATH.test(reading.path) || reading.query?.includes('*') || reading.host.includes('*')) {
    return 'must hold URIs without wildcards and encoded slashes';
  }
  if (isPermittedOrigin(reading, owner)) return undefined;
  return owner.applicationType === 'web'
    ? `must hold https URIs on public hosts for a web client${owner.takesTokens ? ' with the implicit grant' : ''}`
    : 'must hold https URIs, http URIs on a loopback address or private-use schemes with a dot for a native client';
}

/** Whether the query of an acceptable redirect URI uses the name of a parameter that authorisation answers carry. */
export function hasAnswerParameter(reading: UriReading | undefined): boolean {
  return hasParameter(reading, ANSWER_PARAMETERS);
}

/** Whether the query of an acceptable redirect URI uses one of some names. */
export function hasParameter(reading: UriReading | undefined, names: readonly string[]): boolean {
  if (reading?.query === undefined) return false;
  const parameters = new URLSearchParams(reading.query);
  return names.some((name) => parameters.has(name));
}

function isPermittedOrigin(reading: UriReading, owner: RedirectUriOwner): boolean {
  const { scheme, host } = reading;
  if (scheme === 'https' && !LOCAL_HOST.test(host)) return true;
  if (owner.applicationType === 'web') return isPermittedForDevelopment(reading, owner);
  return scheme === 'http' ? LOOPBACK_HOSTS.has(host) : PRIVATE_USE_SCHEME.test(scheme);
}

function isPermittedForDevelopment(
  { scheme, host }: UriReading,
  { takesTokens, settings }: RedirectUriOwner,
): boolean {
  if (!settings.allowLoopbackRedirectUris || !LOOPBACK_HOSTS.has(host)) return false;
  if (takesTokens) return scheme === 'https' && host !== 'localhost';
  return scheme === 'https' || scheme === 'http';
}
