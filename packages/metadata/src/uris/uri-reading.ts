import { isUriHost } from '@vestibule/protocol';

/** The parts of a URI, as two independent parsers agree on them; scheme and host in lower case. */
export interface UriReading {
  readonly scheme: string;
  /** Empty if the URI has no authority. IPv6 addresses are in brackets. */
  readonly host: string;
  /** The given port, otherwise the scheme's default; absent if there is none. */
  readonly port?: number;
  readonly path: string;
  /** Without the question mark; absent if there is none. */
  readonly query?: string;
  readonly hasFragment: boolean;
}

/** Parsed hosts of the local machine. */
export const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The result of parsing a URI: its parts, or what is wrong with it as the end of a sentence. */
export type ExaminedUri =
  | { readonly reading: UriReading; readonly problem?: never }
  | { readonly reading?: never; readonly problem: string };

// RFC 3986 appendix B, with the scheme's own grammar.
const URI = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(#.*)?$/;
const BEYOND_PRINTABLE = /[^\x21-\x7e]/;
// Runs of characters between escapes, so that matching is unambiguous and never backtracks.
const PATH = /^[A-Za-z0-9._~!$&'()*+,;=:@/-]*(?:%[0-9A-Fa-f]{2}[A-Za-z0-9._~!$&'()*+,;=:@/-]*)*$/;
const QUERY_OR_FRAGMENT =
  /^[A-Za-z0-9._~!$&'()*+,;=:@/?-]*(?:%[0-9A-Fa-f]{2}[A-Za-z0-9._~!$&'()*+,;=:@/?-]*)*$/;
const AUTHORITY = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/;
const PORT = /^[1-9][0-9]{0,4}$/;
// A segment of one or two dots, however encoded; parameters may follow it (RFC 3986 section 3.3).
const DOT_SEGMENT = /(?:^|\/)(?:\.|%2e){1,2}(?:$|\/|;|%3b)/i;
const ENCODED_CONTROL = /%(?:[01][0-9A-Fa-f]|7[Ff])/;
const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ['https', 443],
  ['http', 80],
]);

/**
 * Parses an absolute URI by RFC 3986 and by the WHATWG URL standard, with hosts that `isHost` accepts.
 *
 * Reports a problem if either parser refuses it, if they disagree on scheme, host or port, and for parts that
 * registrations do not need and parsers disagree on: user names, dot segments however encoded, encoded control
 * characters, a path that does not begin with a slash.
 */
export function examineUri(text: string, isHost: (host: string) => boolean = isUriHost): ExaminedUri {
  if (BEYOND_PRINTABLE.test(text))
    return { problem: 'must not have control characters, spaces or non-ASCII characters' };
  const [, scheme, authority, path = '', query, fragment] = URI.exec(text) ?? [];
  if (scheme === undefined) return { problem: 'must be an absolute URI' };
  const origin = readOrigin(scheme, authority, isHost);
  if (origin.problem !== undefined) return origin;
  const problem = pathProblem({ authority, path, query, fragment });
  if (problem !== undefined) return { problem };
  if (!agreesWithBrowsers(origin.reading, text))
    return { problem: 'must be a URI that all parsers read alike' };
  const hasFragment = fragment !== undefined;
  return { reading: { ...origin.reading, path, ...(query !== undefined && { query }), hasFragment } };
}

/** Returns the parts of an absolute URI; `undefined` if {@link examineUri} reports a problem. */
export function readUri(text: string): UriReading | undefined {
  return examineUri(text).reading;
}

/** Whether two URIs have the same scheme, host and port (RFC 6454 section 5). */
export function isSameOrigin(a: UriReading, b: UriReading): boolean {
  return a.scheme === b.scheme && a.host === b.host && a.port === b.port;
}

type Origin = Pick<UriReading, 'scheme' | 'host' | 'port'>;

function readOrigin(
  givenScheme: string,
  authority = '',
  isHost: (host: string) => boolean,
): { readonly reading: Origin; readonly problem?: never } | { readonly problem: string } {
  const scheme = givenScheme.toLowerCase();
  if (authority.includes('@')) return { problem: 'must not have a user name' };
  const [, host = '', givenPort] = AUTHORITY.exec(authority) ?? [];
  const isNamed = authority !== '';
  if (isNamed && !isHost(host)) {
    return {
      problem:
        'must have a host of letters, digits, hyphens and dots, an IPv4 address or an IPv6 address in brackets',
    };
  }
  if (givenPort !== undefined && !(PORT.test(givenPort) && Number(givenPort) <= 65_535))
    return { problem: 'must have a port from 1 to 65535, or none' };
  const port = givenPort === undefined ? DEFAULT_PORTS.get(scheme) : Number(givenPort);
  return { reading: { scheme, host: host.toLowerCase(), ...(port !== undefined && { port }) } };
}

interface UriRest {
  readonly authority: string | undefined;
  readonly path: string;
  readonly query: string | undefined;
  readonly fragment: string | undefined;
}

function pathProblem({ authority, path, query = '', fragment = '#' }: UriRest): string | undefined {
  if (authority === undefined && !path.startsWith('/'))
    return 'must have a host, or a path that begins with a slash';
  if (DOT_SEGMENT.test(path)) return 'must not have . or .. as a path segment';
  if (ENCODED_CONTROL.test(`${path}?${query}${fragment}`))
    return 'must not have percent-encoded control characters';
  const isWellFormed =
    PATH.test(path) && QUERY_OR_FRAGMENT.test(query) && QUERY_OR_FRAGMENT.test(fragment.slice(1));
  return isWellFormed ? undefined : 'must percent-encode characters that a URI does not allow';
}

function agreesWithBrowsers(own: Origin, text: string): boolean {
  const url = readByBrowsers(text);
  if (url === undefined) return false;
  const port = url.port === '' ? DEFAULT_PORTS.get(own.scheme) : Number(url.port);
  return url.protocol === `${own.scheme}:` && url.hostname.toLowerCase() === own.host && port === own.port;
}

// `URL.canParse` first would parse it twice.
function readByBrowsers(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
