import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Closers } from '@vestibule/local-services';
import { type DemoPage, demoPage } from './demo-page.js';

/** A response of a demo application. */
export interface DemoResponse {
  readonly status: number;
  readonly location?: string;
  readonly page?: DemoPage;
}

/** A request to a demo application. */
export interface DemoRequest {
  readonly address: URL;
  /** The members of a posted form. */
  readonly form: URLSearchParams;
}

/** Serves a loopback URL with a port. `undefined` means that the request gets no response. */
export async function serveDemo(
  address: string,
  responseTo: (request: DemoRequest) => Promise<DemoResponse | undefined>,
  toEnd: Closers,
): Promise<void> {
  const server = createServer((request, response) => {
    readRequest(request, address)
      .then(responseTo)
      .then((content) => content && write(response, content))
      .catch(() => response.destroy());
  });
  const { hostname, port } = new URL(address);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(port), hostname, resolve);
  });
  toEnd.add(async () => {
    server.closeAllConnections();
    server.close();
  });
}

async function readRequest(request: IncomingMessage, address: string): Promise<DemoRequest> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  return { address: new URL(request.url ?? '/', address), form: new URLSearchParams(body) };
}

function write(response: ServerResponse, { status, location, page }: DemoResponse): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    ...(location !== undefined && { location }),
  });
  response.end(page && demoPage(page));
}
