import { setMaxListeners } from 'node:events';
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { TLSSocketOptions } from 'node:tls';
import { HttpFailure } from './http-failure.js';

/** TLS towards the authorization server. */
export interface TlsSettings {
  /** Certificates in PEM to trust in place of the public ones. */
  readonly ca?: string;
  /** Certificate chain of this client in PEM, for mutual TLS (RFC 8705 section 2). */
  readonly cert?: string;
  /** Private key of `cert` in PEM. */
  readonly key?: string;
}

/** A request to the authorization server. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Whether to open a connection for this request alone, after a kept one failed. */
  readonly isOnNewConnection?: boolean;
}

/** A complete response. */
export interface HttpResponse {
  readonly status: number;
  /** The media type without parameters, in lower case; empty if there is none. */
  readonly mediaType: string;
  readonly text: string;
  /** The value of a header, given in lower case; repeated ones are joined. */
  header(name: string): string | undefined;
}

/** Sends requests over connections that stay open. */
export interface HttpClient {
  /**
   * Resolves when the connection is free again, or closed: after a 5xx it is not kept. The number of connections is
   * that of concurrent calls.
   * @throws HttpFailure unless a complete response within the limits arrives in time
   */
  send(request: HttpRequest): Promise<HttpResponse>;
  /**
   * Opens a response of any length. The time limit is for its header. End it by aborting the signal.
   * @throws HttpFailure unless the header of a response arrives in time
   */
  open(request: HttpRequest, signal: AbortSignal): Promise<IncomingMessage>;
  /** Closes all connections; requests on their way fail. */
  close(): void;
}

/** A request whose response has begun. */
interface Exchange {
  readonly sent: ClientRequest;
  readonly response: IncomingMessage;
}

/** Shorter than the idle limits of usual servers and load balancers. A `Keep-Alive` header shortens it. */
const IDLE_MS = 30_000;
const MAX_HEADER_BYTES = 16_384;

/** Creates a client. It follows no redirect and uses no proxy. */
export function httpClient(tls: TlsSettings): HttpClient {
  const pool = { keepAlive: true, timeout: IDLE_MS } as const;
  const agents = { 'http:': new HttpAgent(pool), 'https:': new HttpsAgent({ ...pool, ...tls }) };
  const closed = new AbortController();
  // Every request on its way listens to it.
  setMaxListeners(0, closed.signal);

  const start = (request: HttpRequest, signal: AbortSignal): Promise<Exchange> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) throw new HttpFailure('closed');
      const { method, url, headers, body, isOnNewConnection = false } = request;
      const isSecure = url.protocol === 'https:';
      const agent = isOnNewConnection ? false : isSecure ? agents['https:'] : agents['http:'];
      const options: RequestOptions & TLSSocketOptions = {
        method,
        agent,
        signal,
        headers: {
          ...headers,
          'Accept-Encoding': 'identity',
          ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
        },
        maxHeaderSize: MAX_HEADER_BYTES,
        ...(isSecure && tls),
      };
      const sent = (isSecure ? httpsRequest : httpRequest)(url, options);
      const timer = setTimeout(() => sent.destroy(new HttpFailure('timeout')), request.timeoutMs);
      sent.once('response', (response) => {
        clearTimeout(timer);
        if ((response.statusCode ?? 0) >= 500) sent.shouldKeepAlive = false;
        resolve({ sent, response });
      });
      // Errors after the response are those of its body; this listener keeps them from being uncaught.
      sent.on('error', (error) => {
        clearTimeout(timer);
        reject(error instanceof HttpFailure ? error : new HttpFailure('connection', error));
      });
      sent.end(body);
    });

  return {
    open: async (request, signal) =>
      (await start(request, AbortSignal.any([signal, closed.signal]))).response,
    send: async (request) => {
      const startedAtMs = performance.now();
      const { sent, response } = await start(request, closed.signal);
      const isOver = new Promise<void>((resolve) => void sent.once('close', resolve));
      const leftMs = request.timeoutMs - (performance.now() - startedAtMs);
      const onTimeout = () => {
        response.destroy(new HttpFailure('timeout'));
        sent.destroy();
      };
      const timer = setTimeout(onTimeout, Math.max(leftMs, 0));
      try {
        const complete = await readResponse(response, request.maxBytes);
        await isOver;
        return complete;
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => {
      closed.abort();
      agents['http:'].destroy();
      agents['https:'].destroy();
    },
  };
}

async function readResponse(response: IncomingMessage, maxBytes: number): Promise<HttpResponse> {
  const bytes = await readBytes(response, maxBytes);
  const { statusCode = 0, headersDistinct } = response;
  const header = (name: string) => headersDistinct[name]?.join(', ');
  const text = decode(bytes);
  return { status: statusCode, mediaType: mediaType(header('content-type')), text, header };
}

async function readBytes(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const encoding = response.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    response.destroy();
    throw new HttpFailure('encoding');
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response) {
      size += chunk.byteLength;
      if (size > maxBytes) throw new HttpFailure('too_large');
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof HttpFailure ? error : new HttpFailure('connection', error);
  }
  return Buffer.concat(chunks, size);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new HttpFailure('encoding');
  }
}

/** The media type of a response, without parameters and in lower case (RFC 9110 section 8.3.1). */
export function mediaType(contentType: string | undefined): string {
  const [type = ''] = (contentType ?? '').split(';', 1);
  return type.trim().toLowerCase();
}
