import { Client, type Dispatcher } from 'undici';
import type { Connection } from './connection.js';
import { withinSignal } from './deadline.js';
import { asFault } from './egress-fault.js';
import type { Target } from './target.js';

/** The head of a response may have this many bytes. */
const MAX_HEADER_BYTES = 16_384;

/** What is sent. */
export interface ExchangeRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Where it is sent. */
export interface ExchangeRoute {
  readonly target: Target;
  readonly connection: Connection;
  readonly signal: AbortSignal;
}

function clientOver({ target, connection }: ExchangeRoute): Client {
  let isTaken = false;
  return new Client(target.url.origin, {
    connect: (_options, callback) => {
      // One connection for one request: the client may not come back for another.
      if (isTaken) callback(new Error('the connection is used up'), null);
      // Later, since the client does not expect to be connected before it has finished asking.
      else queueMicrotask(() => callback(null, connection.socket));
      isTaken = true;
    },
    maxHeaderSize: MAX_HEADER_BYTES,
    // The signal carries the deadline of the whole request; these would only watch for silence.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/**
 * Sends one HTTP/1.1 request over an open connection and has `read` look at the response; then the connection is gone.
 *
 * Nothing identifies the caller except the name of the software.
 *
 * @throws EgressFault what `read` throws, `protocol` when the response is no HTTP or breaks off, or as the signal says.
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
    // A response that is left unread still ends with an error when its connection goes.
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
