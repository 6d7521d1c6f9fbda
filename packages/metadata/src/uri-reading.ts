/** The parts of a URI on which two independent readings agreed; scheme and host in lower case. */
export interface UriReading {
  readonly scheme: string;
  /** Empty when the URI has no authority; IPv6 addresses in brackets. */
  readonly host: string;
  /** The port in effect: the given one, else the scheme's default; absent where there is none. */
  readonly port?: number;
  readonly path: string;
  /** Without the question mark; absent when there is none. */
  readonly query?: string;
  readonly hasFragment: boolean;
}

// RFC 3986 appendix B, with the scheme's own grammar.
const URI = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(#.*)?$/;
// Runs of characters between escapes, so that there is one way to match and nothing to try again.
const PATH = /^[A-Za-z0-9._~!$&'()*+,;=:@/-]*(?:%[0-9A-Fa-f]{2}[A-Za-z0-9._~!$&'()*+,;=:@/-]*)*$/;
const QUERY_OR_FRAGMENT =
  /^[A-Za-z0-9._~!$&'()*+,;=:@/?-]*(?:%[0-9A-Fa-f]{2}[A-Za-z0-9._~!$&'()*+,;=:@/?-]*)*$/;
const AUTHORITY = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~!$&'()*+,;=-]*)(?::([1-9][0-9]{0,4}))?$/;
// A segment of one or two dots, however they are encoded; parameters may follow it (RFC 3986 section 3.3).
const DOT_SEGMENT = /(?:^|\/)(?:\.|%2e){1,2}(?:$|\/|;|%3b)/i;
const ENCODED_CONTROL = /%(?:[01][0-9A-Fa-f]|7[Ff])/;
const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ['https', 443],
  ['http', 80],
]);

/**
 * Reads an absolute URI by the grammar of RFC 3986 and by the URL standard of browsers.
 *
 * `undefined` when either refuses it or they disagree on scheme, host or port, and also for what no registration
 * needs and parsers differ on: user names, dot segments however encoded, encoded control characters, a path that does
 * not begin with a slash, hosts that end in a dot.
 */
export function readUri(text: string): UriReading | undefined {
  const own = readByGrammar(text);
  if (own === undefined || DOT_SEGMENT.test(own.path)) return undefined;
  if (ENCODED_CONTROL.test(text) || own.host.endsWith('.')) return undefined;
  return agreesWithBrowsers(own, text) ? own : undefined;
}

/** Whether two readings have the same scheme, host and port (RFC 6454 section 5). */
export function isSameOrigin(a: UriReading, b: UriReading): boolean {
  return a.scheme === b.scheme && a.host === b.host && a.port === b.port;
}

function readByGrammar(text: string): UriReading | undefined {
  const [, scheme, authority, path = '', query, fragment] = URI.exec(text) ?? [];
  if (scheme === undefined || !hasGrammarOf(path, query, fragment)) return undefined;
  if (authority === undefined && !path.startsWith('/')) return undefined;
  const [, host, givenPort] = AUTHORITY.exec(authority ?? '') ?? [];
  if (host === undefined || (host === '' && givenPort !== undefined)) return undefined;
  const port = givenPort === undefined ? DEFAULT_PORTS.get(scheme.toLowerCase()) : Number(givenPort);
  return {
    scheme: scheme.toLowerCase(),
    host: host.toLowerCase(),
    ...(port !== undefined && { port }),
    path,
    ...(query !== undefined && { query }),
    hasFragment: fragment !== undefined,
  };
}

function hasGrammarOf(path: string, query?: string, fragment?: string): boolean {
  if (query !== undefined && !QUERY_OR_FRAGMENT.test(query)) return false;
  if (fragment !== undefined && !QUERY_OR_FRAGMENT.test(fragment.slice(1))) return false;
  return PATH.test(path);
}

function agreesWithBrowsers(own: UriReading, text: string): boolean {
  const url = readByBrowsers(text);
  if (url === undefined) return false;
  const port = url.port === '' ? DEFAULT_PORTS.get(own.scheme) : Number(url.port);
  return url.protocol === `${own.scheme}:` && url.hostname.toLowerCase() === own.host && port === own.port;
}

// Asking first whether it can be read would read it twice.
function readByBrowsers(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
