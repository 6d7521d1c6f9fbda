import { isIP } from 'node:net';
import { type AllowedHosts, allowanceOf, portOf } from '@vestibule/protocol';
import { isPublicAddress } from './address.js';
import { EgressFault } from './egress-fault.js';
import { isRefusedPort } from './refused-ports.js';

/** Longer URLs are refused without parsing. */
const MAX_URL_LENGTH = 2048;

/** Names that are never public: RFC 6761, 6762, 7686, 8375, 9476, and `internal` (ICANN). */
const PRIVATE_NAME = /(^|\.)(localhost|local|invalid|test|onion|home\.arpa|alt|internal)$/;

declare const target: unique symbol;

/** Target of a request: a URL that passed every rule that needs no network. Created by {@link parseTarget}. */
export interface Target {
  readonly [target]: true;
  readonly url: URL;
  /** The host name or IP address, without brackets, in lower case. */
  readonly host: string;
  readonly port: number;
  /** Whether `host` is an IP address. */
  readonly isLiteral: boolean;
  /** Whether the host is listed in `allowHosts`. */
  readonly listed: boolean;
}

function parseUrl(text: string): URL {
  if (!/^https?:\/\//i.test(text)) throw new EgressFault('blocked', { detail: 'scheme' });
  if (text.length > MAX_URL_LENGTH) throw new EgressFault('blocked', { detail: 'length' });
  // Printable ASCII without backslash: other characters are parsed differently by different parsers.
  if (!/^[!-[\]-~]+$/.test(text) || !URL.canParse(text))
    throw new EgressFault('blocked', { detail: 'syntax' });
  return new URL(text);
}

function refusalOf(text: string, url: URL): string | undefined {
  if (/^[a-z]+:\/\/[^/?#]*@/i.test(text)) return 'userinfo';
  if (text.includes('#')) return 'fragment';
  if (url.hostname.endsWith('.')) return 'name';
  return undefined;
}

function publicRefusalOf(url: URL, host: string): string | undefined {
  if (url.protocol !== 'https:') return 'scheme';
  if (isRefusedPort(portOf(url))) return 'port';
  if (isIP(host) !== 0) return isPublicAddress(host) ? undefined : 'address';
  return !host.includes('.') || PRIVATE_NAME.test(host) ? 'name' : undefined;
}

/**
 * Parses the URL of a request and applies every rule that needs no network: https (http only to allowed hosts), no user
 * name, no fragment, a permitted port, and a host that is not private in any of its spellings.
 *
 * An allowed host without a port covers its default ports; the port of another service must be allowed as `host:port`.
 *
 * @throws EgressFault `blocked`, with the name of the rule.
 */
export function parseTarget(text: string, allowed: AllowedHosts): Target {
  const url = parseUrl(text);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = portOf(url);
  const allowance = allowanceOf(allowed, url);
  const listed = allowance === 'endpoint' || (allowance === 'host' && (port === 80 || !isRefusedPort(port)));
  const refusal = refusalOf(text, url) ?? (listed ? undefined : publicRefusalOf(url, host));
  if (refusal !== undefined) throw new EgressFault('blocked', { detail: refusal });
  return { url, host, port, isLiteral: isIP(host) !== 0, listed } as Target;
}
