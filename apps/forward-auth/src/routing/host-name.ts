import { portOf } from '@vestibule/protocol';

/** A host as gateways name it, in lower case. */
export interface HostName {
  readonly name: string;
  /** `undefined` if it is not written. */
  readonly port: number | undefined;
}

/** A host name or an IPv4 address, or an IPv6 address in brackets; one dot may end a name (RFC 3986 section 3.2.2). */
const HOST = /^(\[[\da-f:.]{2,45}\]|[a-z\d_-](?:[a-z\d_.-]{0,252}[a-z\d_-])?)\.?(?::(\d{1,5}))?$/i;

/** Parses the value of a `Host` header, or one of the configuration; `undefined` if it has another form. */
export function parseHostName(text: string): HostName | undefined {
  const [, name, port] = HOST.exec(text) ?? [];
  if (name === undefined || name.includes('..') || Number(port ?? 1) > 65_535) return undefined;
  return { name: name.toLowerCase(), port: port === undefined ? undefined : Number(port) };
}

/**
 * The texts under which requests for a host are found. Without a port, and with the default port of the scheme, they are
 * the same host.
 */
export function hostKeys({ name, port }: HostName, defaultPort: number): readonly string[] {
  if (port !== undefined && port !== defaultPort) return [hostKey({ name, port })];
  return [hostKey({ name, port: undefined }), hostKey({ name, port: defaultPort })];
}

/** The texts under which requests for the host and path of a URL are found; none for a host of another form. */
export function locationKeys(url: URL): readonly string[] {
  const name = parseHostName(url.host);
  return name === undefined ? [] : hostKeys(name, defaultPortOf(url)).map((host) => host + url.pathname);
}

/** The text of a host. */
export function hostKey({ name, port }: HostName): string {
  return port === undefined ? name : `${name}:${port}`;
}

/** The port of a URL whose port is not written. */
export function defaultPortOf({ protocol }: URL): number {
  return portOf(new URL(`${protocol}//host`));
}
