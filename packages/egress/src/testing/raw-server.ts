import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { ServerCertificate } from '@vestibule/local-services/testing';

/** A TCP server that writes exactly what a test wants, and counts connections and bytes. */
export interface RawServer {
  readonly port: number;
  /** Bytes received from clients, on the wire below TLS. */
  bytesReceived(): number;
  /** Connections accepted so far. */
  connections(): number;
  /** The first chunk of every request, as text. */
  readonly heads: string[];
  close(): Promise<void>;
}

/** Responds to a request, given its first chunk. */
export type RawResponse = (socket: Socket, head: string) => void;

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    // All addresses of the machine, of both families.
    server.listen(0, () => resolve((server.address() as AddressInfo).port));
  });
}

/**
 * Starts a server. Without `response` it accepts connections and stays silent; with a certificate it uses TLS.
 */
export async function startRawServer(response?: RawResponse, tls?: ServerCertificate): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const heads: string[] = [];
  let bytes = 0;
  let connections = 0;
  const speak = (socket: Socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (chunk) => {
      heads.push(chunk.toString('latin1'));
      response?.(socket, chunk.toString('latin1'));
    });
    socket.resume();
  };
  const server = tls === undefined ? createServer(speak) : createTlsServer({ ...tls }, speak);
  server.on('connection', (socket) => {
    sockets.add(socket);
    connections += 1;
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      bytes += socket.bytesRead;
    });
  });
  const port = await listening(server);
  return {
    port,
    heads,
    bytesReceived: () => [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, bytes),
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Writes a complete HTTP response and ends the connection. */
export function respondHttp(socket: Socket, status: string, headers: readonly string[], body = ''): void {
  const length = `content-length: ${Buffer.byteLength(body)}`;
  socket.end([`HTTP/1.1 ${status}`, ...headers, length, '', body].join('\r\n'));
}
