import { connect } from 'node:net';

/** Data received on a connection until the server closed it. */
export interface RawResponse {
  /** Everything that was received. */
  readonly text: string;
  /** Status codes of the responses, in order. */
  readonly statuses: readonly number[];
}

/**
 * Sends raw bytes to a local port and reads until the server closes the connection, for requests that no HTTP client
 * sends. A request that would keep the connection open must send `Connection: close`.
 */
export function rawExchange(port: number, request: string | Buffer): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error) => {
      // The server may close the connection during the write.
      if (chunks.length === 0) reject(error);
    });
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('latin1');
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      resolve({ text, statuses });
    });
  });
}
