import type { Client, Dispatcher } from 'undici';
import type { Connection } from './connection.js';
import { withinSignal } from './deadline.js';
import { asFault, EgressFault } from './egress-fault.js';
import type { Target } from './target.js';

/** Largest header of a response, in bytes. */
const MAX_HEADER_BYTES = 16_384;

/** Bytes of a response beside its content: header, informational responses, chunk sizes, trailers, TLS. */
const MAX_OTHER_BYTES = 65_536;

/** A request to send. */
export interface ExchangeRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Largest content of the response that is read, in bytes. */
  readonly maxBytes: number;
}

/** The HTTP client. */
export type HttpClient = Pick<typeof import('undici'), 'Client'>;

/** Loads the HTTP client on the first request, because it is a large library and processes start without requests. */
export const loadHttpClient = (): Promise<HttpClient> => import('undici');

/** The client, connection and path for a request. */
export interface ExchangeRoute {
  readonly http: HttpClient;
  readonly target: Target;
  readonly connection: Connection;
  readonly signal: AbortSignal;
}

function clientOver({ http, target, connection: { socket } }: ExchangeRoute, maxBytes: number): Client {
  let isTaken = false;
  const client = new http.Client(target.url.origin, {
    connect: (_options, callback) => {
      // One connection per request.
      if (isTaken) callback(new Error('the connection was used before'), null);
      // Asynchronously, because the client does not expect a connection before its own call has returned.
      else queueMicrotask(() => callback(null, socket));
      isTaken = true;
    },
    maxHeaderSize: MAX_HEADER_BYTES,
    // The signal has the deadline of the whole request; these timeouts would only detect silence.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  // Nothing else bounds informational responses and chunk extensions, which would keep the parser busy.
  client.once('connect', () => {
    socket.on('readable', () => {
      if (socket.bytesRead > 2 * maxBytes + MAX_OTHER_BYTES) socket.destroy(new EgressFault('too_large'));
    });
  });
  return client;
}

/**
 * Sends one HTTP/1.1 request over an open connection, passes the response to `read`, and closes the connection.
 *
 * The request identifies the caller only by the name of the software.
 *
 * @throws EgressFault the fault of `read`, `too_large` for more bytes than a response with that content has, `protocol` when the response is not HTTP or incomplete, or the reason of the
 * signal.
 */
export async function exchange<T>(
  route: ExchangeRoute,
  request: ExchangeRequest,
  read: (response: Dispatcher.ResponseData) => Promise<T>,
): Promise<T> {
  const { target, connection, signal } = route;
  const client = clientOver(route, request.maxBytes);
  const perform = async () => {
    const response = await client.request({
      path: `${target.url.pathname}${target.url.search}`,
      method: request.method,
      headers: { ...request.headers, 'user-agent': 'vestibule', 'accept-encoding': 'identity' },
      body: request.body ?? null,
      reset: true,
      signal,
    });
    // An unread response also emits an error when its connection is closed.
    response.body.on('error', () => undefined);
    return read(response);
  };
  try {
    return await withinSignal(signal, perform());
  } catch (error) {
    throw asFault(error, 'protocol');
  } finally {
    connection.destroy();
    client.destroy(null, () => undefined);
  }
}
