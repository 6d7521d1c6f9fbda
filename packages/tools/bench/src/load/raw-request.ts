/** The parts of a request; all servers under test are local. */
export interface RequestParts {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** By lower-case name, without `host` and `content-length`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The bytes of an HTTP/1.1 request on a persistent connection. Characters outside ASCII are rejected. */
export function rawRequest({ method, path, headers = {}, body }: RequestParts): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`content-length: ${body.length}`]),
  ];
  const text = `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
  if (/[^\x20-\x7e\r\n]/.test(text)) throw new TypeError('a request of a benchmark is plain ASCII');
  return text;
}

/** The header of client_secret_basic (RFC 6749 section 2.3.1) for credentials that need no encoding. */
export function basicAuthorization(id: string, secret: string): { readonly authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}
