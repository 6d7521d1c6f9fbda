import { isAllowedHost, parseAllowedHosts, portOf } from '@vestibule/protocol';

const MAX_URL_LENGTH = 2048;

/** Parses the http(s) URL of a server of the operator; `undefined` if it has another form, a user name or a fragment. */
export function parseServerUrl(text: string): URL | undefined {
  // Printable ASCII without backslash: other characters are parsed differently by different parsers.
  if (!/^https?:\/\/[!-[\]-~]+$/i.test(text) || text.length > MAX_URL_LENGTH || !URL.canParse(text))
    return undefined;
  const url = new URL(text);
  const isPlain = url.username === '' && url.password === '' && !text.includes('#');
  return isPlain && !url.hostname.endsWith('.') ? url : undefined;
}

/** Whether the host name of a URL is a loopback host. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/**
 * The problem of a URL whose host or port cannot be in EGRESS_ALLOW_HOSTS, or of an http URL, unless its host is a loopback
 * address or exempt from the outbound address rules.
 */
export function serverUrlProblem(url: URL, allowHosts: readonly string[]): string | undefined {
  if (!canBeAllowed(url))
    return 'the host must be an IP address or consist of letters, digits and `.`, `_`, `-`; the port must not be 0';
  const isAllowed =
    url.protocol === 'https:' ||
    isLoopback(url.hostname) ||
    isAllowedHost(parseAllowedHosts(allowHosts), url);
  return isAllowed
    ? undefined
    : 'must be an https URL; http is for loopback addresses and hosts in EGRESS_ALLOW_HOSTS only';
}

function canBeAllowed(url: URL): boolean {
  try {
    parseAllowedHosts([`${url.hostname}:${portOf(url)}`]);
    return true;
  } catch {
    return false;
  }
}
