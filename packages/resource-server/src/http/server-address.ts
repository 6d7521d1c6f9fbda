import { type AllowedHosts, isAllowedHost } from '@vestibule/protocol';

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Parses the URL of an endpoint: https, or http on loopback or an allowed host, without user name and fragment.
 * @param name what the URL is, for the message
 * @throws TypeError which does not quote the URL
 */
export function serverAddress(name: string, text: string, allowedHosts: AllowedHosts): URL {
  if (!URL.canParse(text)) throw new TypeError(`${name}: must be an absolute URL`);
  const url = new URL(text);
  const mayBePlain = LOOPBACK.has(url.hostname) || isAllowedHost(allowedHosts, url);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && mayBePlain))
    throw new TypeError(`${name}: must be an https URL, or http on loopback or an allowed host`);
  if (url.username + url.password + url.hash !== '')
    throw new TypeError(`${name}: must have no user name and no fragment`);
  return url;
}
