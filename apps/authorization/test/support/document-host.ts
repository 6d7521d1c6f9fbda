import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '@vestibule/protocol/json';
import { onTestFinished } from 'vitest';

/** A response of the host. */
export interface HostedResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Starts a website on the loopback interface, until the test ends, which hosts documents by path. */
export async function startDocumentHost() {
  const requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  const hosted = new Map<string, HostedResponse>();
  const held: [IncomingMessage, ServerResponse][] = [];
  let isHanging = false;
  const server = createServer((request, response) => {
    requests.push({ path: request.url ?? '/', headers: request.headers });
    if (isHanging) held.push([request, response]);
    else respond(request, response);
  });
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '/';
    const { status = 200, headers = {}, body = '' } = hosted.get(path) ?? { status: 404 };
    const etag = headers['etag'];
    const isCurrent = etag !== undefined && request.headers['if-none-match'] === etag;
    response
      .writeHead(isCurrent ? 304 : status, { 'content-type': 'application/json', ...headers })
      .end(isCurrent ? undefined : body);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  onTestFinished(stop);
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    /** The host with its port. */
    host,
    /** The URL of a path. */
    url: (path: string) => `http://${host}${path}`,
    requests,
    /** The requests for a path. */
    requested: (path: string) => requests.filter((request) => request.path === path),
    serve: (path: string, response: HostedResponse) => hosted.set(path, response),
    /** Hosts a document at its own URL, with these members. */
    publish: (path: string, members: JsonObject = {}, headers: Readonly<Record<string, string>> = {}) => {
      const url = `http://${host}${path}`;
      hosted.set(path, { headers, body: JSON.stringify(documentOf(url, members)) });
      return url;
    },
    remove: (path: string) => hosted.delete(path),
    /** Accepts requests and never responds. */
    hang: () => {
      isHanging = true;
    },
    /** Responds to the requests that hang, and to others from now on. */
    respond: () => {
      isHanging = false;
      for (const [request, response] of held.splice(0)) respond(request, response);
    },
    stop,
  };
}

/** The content of a document of a public client. */
export function documentOf(url: string, members: JsonObject = {}): JsonObject {
  return {
    client_id: url,
    client_name: 'An app',
    redirect_uris: ['https://app.example/cb'],
    grant_types: ['authorization_code', 'refresh_token'],
    ...members,
  };
}

/** The settings with which a server takes the documents of a host, without pauses and limits. */
export function documentSettings(host: string): Record<string, string> {
  return {
    CLIENT_ID_METADATA_DOCUMENTS: host,
    EGRESS_ALLOW_HOSTS: host,
    METADATA_DOCUMENT_URIS: 'any',
    METADATA_DOCUMENT_RETRY_SECONDS: '0',
    OPEN_REGISTRATION_SCOPES: 'openid profile offline_access',
    RATE_LIMITS_ENABLED: 'false',
  };
}
