import { connect } from 'node:net';

/** What came back over one connection until the server closed it. */
export interface RawResponse {
  /** Everything that was received. */
  readonly text: string;
  /** The status of each response, in order. */
  readonly statuses: readonly number[];
}

/**
 * Writes bytes to a port of this machine as they are and reads until the server hangs up: for requests that no HTTP
 * client would send. A request that leaves the connection open must ask for it to be closed.
 */
export function rawExchange(port: number, request: string | Buffer): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error) => {
      // The server may hang up while it is still being written to.
      if (chunks.length === 0) reject(error);
    });
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('latin1');
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      resolve({ text, statuses });
    });
  });
}
