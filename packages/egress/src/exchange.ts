import { Client, type Dispatcher } from 'undici';
import type { Connection } from './connection.js';
import { withinSignal } from './deadline.js';
import { asFault } from './egress-fault.js';
import type { Target } from './target.js';

/** Largest header of a response, in bytes. */
const MAX_HEADER_BYTES = 16_384;

/** A request to send. */
export interface ExchangeRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The connection and path for a request. */
export interface ExchangeRoute {
  readonly target: Target;
  readonly connection: Connection;
  readonly signal: AbortSignal;
}

function clientOver({ target, connection }: ExchangeRoute): Client {
  let isTaken = false;
  return new Client(target.url.origin, {
    connect: (_options, callback) => {
      // One connection per request.
      if (isTaken) callback(new Error('the connection was used before'), null);
      // Asynchronously, because the client does not expect a connection before its own call has returned.
      else queueMicrotask(() => callback(null, connection.socket));
      isTaken = true;
    },
    maxHeaderSize: MAX_HEADER_BYTES,
    // The signal has the deadline of the whole request; these timeouts would only detect silence.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/**
 * Sends one HTTP/1.1 request over an open connection, passes the response to `read`, and closes the connection.
 *
 * The request identifies the caller only by the name of the software.
 *
 * @throws EgressFault the fault of `read`, `protocol` when the response is not HTTP or incomplete, or the reason of the
 * signal.
 */
export async function exchange<T>(
  route: ExchangeRoute,
  request: ExchangeRequest,
  read: (response: Dispatcher.ResponseData) => Promise<T>,
): Promise<T> {
  const { target, connection, signal } = route;
  const client = clientOver(route);
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
