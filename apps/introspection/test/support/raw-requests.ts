import { basic } from './introspection-call.js';

/** Parts of a request; absent ones are those of the usual request. */
export interface RequestParts {
  readonly method?: string;
  readonly target?: string;
  readonly version?: string;
  /** Replaces a header, adds it, or with `undefined` leaves it out; a list repeats it. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: string;
}

/** The path of the endpoint. */
export const PATH = '/token/introspect';

/** A request after which the server closes the connection, which shows whether it was still open. */
export const PROBE = 'GET /probe HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

/** The usual request: `rs1` asks about a token with Basic authentication. */
export function rawRequest({
  method = 'POST',
  target = PATH,
  version = '1.1',
  headers = {},
  body = '',
}: RequestParts): string {
  const all = {
    Host: 'as.example',
    Authorization: basic(),
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Length': String(body.length),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, values]) =>
    values === undefined ? [] : [values].flat().map((value) => `${name}: ${value}\r\n`),
  );
  return `${method} ${target} HTTP/${version}\r\n${lines.join('')}\r\n${body}`;
}

/** A body in one chunk. */
export function chunked(body: string): string {
  return `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
}
