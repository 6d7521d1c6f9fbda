import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** A fault in place of the response. */
export type ResponseFault =
  | 'not_found'
  | 'server_error'
  /** Redirects to the requested address. */
  | 'redirect'
  /** Accepts the request and never responds. */
  | 'hang'
  /** Sends one byte at a time, and never the last one. */
  | 'drip'
  /** Ten megabytes. */
  | 'huge'
  | 'media_type'
  | 'web_page'
  | 'compressed'
  /** Closes the connection in the middle of the response. */
  | 'cut'
  | 'empty';

const HUGE_BYTES = 10_000_000;
const DRIP_INTERVAL_MS = 50;

/** Sends a document, or the given fault. */
export function sendDocument(
  response: ServerResponse,
  { contentType, text }: { readonly contentType: string; readonly text: string },
  fault: ResponseFault | undefined,
): void {
  const headers = { 'content-type': contentType };
  const send = () => response.writeHead(200, headers).end(text);
  const faults: Readonly<Record<ResponseFault, () => unknown>> = {
    not_found: () => response.writeHead(404).end(),
    server_error: () => response.writeHead(500, headers).end(text),
    redirect: () => response.writeHead(302, { location: response.req.url ?? '/' }).end(),
    hang: () => undefined,
    drip: () => drip(response.writeHead(200, headers), text),
    huge: () => response.writeHead(200, headers).end('a'.repeat(HUGE_BYTES)),
    media_type: () => response.writeHead(200, { 'content-type': 'text/plain' }).end(text),
    web_page: () => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Welcome</p>'),
    compressed: () => response.writeHead(200, { ...headers, 'content-encoding': 'gzip' }).end(gzipSync(text)),
    cut: () => {
      response.writeHead(200, { ...headers, 'content-length': String(text.length) });
      response.write(text.slice(0, 20), () => response.destroy());
    },
    empty: () => response.writeHead(200, headers).end(),
  };
  if (fault === undefined) send();
  else faults[fault]();
}

function drip(response: ServerResponse, text: string): void {
  let sent = 0;
  const timer = setInterval(() => {
    response.write(text[sent % text.length] ?? ' ');
    sent += 1;
  }, DRIP_INTERVAL_MS);
  response.on('close', () => clearInterval(timer));
}
