import type { RecognizedMembers } from './metadata-schema.js';
import { isLocalHost, isPrivateUse } from './redirect-uri.js';
import { LOOPBACK_HOSTS, readUri, type UriReading } from './uri-reading.js';

/**
 * Infers the application type of a registration that does not state it: native if any redirect URI leads back to a
 * program on the device of the end-user, by http on a loopback address or by a private-use scheme (RFC 8252 section 7).
 * Otherwise web (OpenID Connect Dynamic Client Registration 1.0 section 2), also beside an https URI on the local
 * machine, which only web clients can have.
 */
export function inferredApplicationType({
  redirect_uris: redirectUris = [],
  post_logout_redirect_uris: postLogoutUris = [],
}: Pick<RecognizedMembers, 'redirect_uris' | 'post_logout_redirect_uris'>): 'web' | 'native' {
  if (!redirectUris.some((uri) => isOf(uri, isOnDevice))) return 'web';
  return [...redirectUris, ...postLogoutUris].some((uri) => isOf(uri, isWebOnDevice)) ? 'web' : 'native';
}

function isOf(uri: string, is: (reading: UriReading) => boolean): boolean {
  const reading = readUri(uri);
  return reading !== undefined && is(reading);
}

function isOnDevice({ scheme, host }: UriReading): boolean {
  return scheme === 'http' ? LOOPBACK_HOSTS.has(host) : isPrivateUse(scheme);
}

function isWebOnDevice({ scheme, host }: UriReading): boolean {
  return scheme === 'https' && isLocalHost(host);
}
