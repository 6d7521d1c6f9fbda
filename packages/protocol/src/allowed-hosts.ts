const ENTRY = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/;

declare const allowedHosts: unique symbol;

/** Hosts exempt from the address rules, validated and normalized by {@link parseAllowedHosts}. */
export interface AllowedHosts {
  readonly [allowedHosts]: true;
  /** Hosts allowed on any port. */
  readonly hosts: ReadonlySet<string>;
  /** Allowed `host:port` pairs. */
  readonly endpoints: ReadonlySet<string>;
}

function parseEntry(entry: string): { host: string; port: number | undefined } {
  const match = ENTRY.exec(entry.toLowerCase());
  const host = match?.[1];
  if (match === null || host === undefined || host.endsWith('.') || !URL.canParse(`http://${host}/`)) {
    throw new TypeError('an allowed host must be written as host or host:port');
  }
  const port = match[2] === undefined ? undefined : Number(match[2]);
  if (port !== undefined && (port < 1 || port > 65_535)) {
    throw new TypeError('the port of an allowed host must lie between 1 and 65535');
  }
  return { host: new URL(`http://${host}/`).hostname, port };
}

/**
 * Parses the hosts that are exempt from the address rules and may be reached over http, for tests and local stacks.
 *
 * An entry is `host` (any port) or `host:port` (only that port); IPv6 addresses are in brackets. There are no wildcards
 * and no suffixes.
 *
 * @throws TypeError when an entry has another form; the message does not quote it.
 */
export function parseAllowedHosts(entries: readonly string[]): AllowedHosts {
  const parsed = entries.map(parseEntry);
  const hosts: ReadonlySet<string> = new Set(
    parsed.filter(({ port }) => port === undefined).map(({ host }) => host),
  );
  const endpoints: ReadonlySet<string> = new Set(
    parsed.filter(({ port }) => port !== undefined).map(({ host, port }) => `${host}:${port}`),
  );
  return { hosts, endpoints } as AllowedHosts;
}

/** The port of a URL, with the default of its scheme. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'http:' ? 80 : 443;
}

/** How precisely an entry matches a URL. */
export type Allowance = 'none' | 'host' | 'endpoint';

/** Whether the host of a URL, or its host and port, is allowed. Compares exactly. */
export function allowanceOf(allowed: AllowedHosts, url: URL): Allowance {
  if (allowed.endpoints.has(`${url.hostname}:${portOf(url)}`)) return 'endpoint';
  return allowed.hosts.has(url.hostname) ? 'host' : 'none';
}

/** Whether a URL is on an allowed host, and so may be http instead of https. */
export function isAllowedHost(allowed: AllowedHosts, url: URL): boolean {
  return allowanceOf(allowed, url) !== 'none';
}
