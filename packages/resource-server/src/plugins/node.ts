import type { IncomingMessage, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { ResourceRequest } from '../request/resource-request.js';
import type { ResourceVerifier } from '../resource-verifier.js';
import type { RefusedRequest } from '../verification/verification.js';

/**
 * Describes a request of `node:http` or `node:https`. The certificate is that of the TLS connection.
 * @param url the path that the client called, where a framework has rewritten `message.url`
 */
export function nodeRequest(message: IncomingMessage, url = message.url ?? ''): ResourceRequest {
  const { rawHeaders, socket, method = '' } = message;
  return {
    method,
    url,
    header: (name) => headerValues(rawHeaders, name),
    // There is no certificate any more once the client has gone.
    clientCertificate: () => (socket instanceof TLSSocket ? socket.getPeerCertificate()?.raw : undefined),
  };
}

/** Sends the response to a refused request. */
export function sendRefusal(response: ServerResponse, { status, headers, body }: RefusedRequest): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
}

/**
 * Sends the protected resource metadata of the API (RFC 9728), which applications in browsers may read too: their
 * preflight requests (Fetch Standard, "CORS protocol") are accepted.
 * @returns whether the request was for them; otherwise nothing is sent
 */
export function sendMetadata(
  server: Pick<ResourceVerifier, 'metadata'>,
  request: ResourceRequest,
  response: ServerResponse,
): boolean {
  const { path, json } = server.metadata();
  if (request.url.split('?', 1)[0] !== path) return false;
  if (request.method === 'GET') response.writeHead(200, METADATA_HEADERS).end(json);
  else if (request.method === 'OPTIONS') response.writeHead(204, METADATA_PREFLIGHT_HEADERS).end();
  else return false;
  return true;
}

/** Headers of the protected resource metadata. */
export const METADATA_HEADERS = {
  'Content-Type': 'application/json',
  'Access-Control-Allow-Origin': '*',
} as const;

/**
 * Headers of the response to a preflight request for the metadata. MCP clients send the version of their protocol
 * with every request.
 */
export const METADATA_PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET',
  'Access-Control-Allow-Headers': 'Content-Type, MCP-Protocol-Version',
  'Access-Control-Max-Age': '7200',
} as const;

/**
 * The values of a header, of which `message.headers` would join or drop some: one string, a list if the request has the
 * header several times, or `undefined`.
 * @param rawHeaders names and values in turn, as `IncomingMessage.rawHeaders`
 * @param name in lower case
 */
export function headerValues(
  rawHeaders: readonly string[],
  name: string,
): string | readonly string[] | undefined {
  let found: string | undefined;
  let all: string[] | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [written = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]];
    if (written.length !== name.length || written.toLowerCase() !== name) continue;
    if (found === undefined) found = value;
    else all = [...(all ?? [found]), value];
  }
  return all ?? found;
}
