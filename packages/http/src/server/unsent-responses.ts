import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Keeps a server from cutting responses that it has ended and not sent yet, because their clients read slowly: Node.js
 * takes their connections for idle, and closes them when the server closes (`closeIdleConnections`). While there is such a
 * connection, no idle one is closed, so a caller has to ask again later.
 */
export function keepUnsentResponses(
  server: Server,
  connectionEvent: 'connection' | 'secureConnection',
): void {
  const sockets = new Set<Socket>();
  server.on(connectionEvent, (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const closeIdleConnections = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    for (const { writableLength } of sockets) if (writableLength > 0) return;
    closeIdleConnections();
  };
}
