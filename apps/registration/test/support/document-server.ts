import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';

/** A third-party server on a loopback address. */
export interface DocumentServer {
  readonly host: string;
  readonly url: (path: string) => string;
  /** The document and media type of each path; other paths are a 404. */
  readonly documents: Map<string, { readonly type: string; readonly body: string }>;
  /** Paths that never get a response. */
  readonly silent: Set<string>;
  /** Redirects by path, which take precedence. */
  readonly redirects: Map<string, { readonly status: number; readonly location: string }>;
  /** The requested paths, in order. */
  readonly requested: string[];
}

/** Starts a server for a test. */
export async function documentServer(): Promise<DocumentServer> {
  const documents: DocumentServer['documents'] = new Map();
  const redirects: DocumentServer['redirects'] = new Map();
  const silent: DocumentServer['silent'] = new Set();
  const requested: string[] = [];
  const server = createServer((request, response) => {
    requested.push(request.url ?? '');
    if (silent.has(request.url ?? '')) return;
    const document = documents.get(request.url ?? '');
    const redirect = redirects.get(request.url ?? '');
    if (redirect !== undefined) response.writeHead(redirect.status, { location: redirect.location }).end();
    else if (document === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': document.type }).end(document.body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new TypeError('the server does not listen');
  const host = `127.0.0.1:${address.port}`;
  return { host, url: (path) => `http://${host}${path}`, documents, silent, redirects, requested };
}
