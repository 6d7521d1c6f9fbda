import { once } from 'node:events';
import { connect } from 'node:net';
import { type RawResponse, responseReader } from './response-reader.js';

/** A persistent connection to a local server, for one request at a time. */
export interface Connection {
  /**
   * Sends a request and gives its response. @throws when the connection breaks or nothing comes within the time limit
   */
  send(request: string): Promise<RawResponse>;
  close(): void;
}

const RESPONSE_TIMEOUT_MS = 10_000;

/** Connects to a port of 127.0.0.1. @throws when the connection is refused */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.setEncoding('latin1');
  const reader = responseReader();
  let waiting: { resolve(response: RawResponse): void; reject(error: unknown): void } | undefined;
  let broken: Error | undefined;
  const fail = (error: Error) => {
    broken ??= error;
    waiting?.reject(broken);
    socket.destroy();
  };
  await once(socket, 'connect');
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the server closed the connection')));
  socket.setTimeout(RESPONSE_TIMEOUT_MS, () => {
    if (waiting !== undefined) fail(new Error('the server does not respond'));
  });
  socket.on('data', (chunk: string) => {
    try {
      for (const response of reader.read(chunk)) {
        const settled = waiting;
        waiting = undefined;
        settled?.resolve(response);
      }
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  });
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        if (broken !== undefined) return reject(broken);
        waiting = { resolve, reject };
        socket.write(request, 'latin1');
      }),
    close: () => {
      waiting = undefined;
      socket.destroy();
    },
  };
}

/** Sends one request over a new connection. */
export async function requestOnce(port: number, request: string): Promise<RawResponse> {
  const connection = await openConnection(port);
  try {
    return await connection.send(request);
  } finally {
    connection.close();
  }
}
