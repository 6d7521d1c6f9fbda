import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** An address of a database that can go away. */
export interface DatabaseRelay {
  readonly url: string;
  /** Ends all connections, and refuses further ones. */
  leave(): Promise<void>;
}

/** Passes connections on to a database, until the test ends. */
export async function databaseRelay(target: string): Promise<DatabaseRelay> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const listener = createServer({ noDelay: true }, (client) => {
    const server = connect({ port: Number(port), host: hostname, noDelay: true });
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port: ownPort } = listener.address() as AddressInfo;
  const leave = async () => {
    if (!listener.listening) return;
    const closed = once(listener, 'close');
    listener.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  onTestFinished(leave);
  return {
    url: Object.assign(new URL(target), { hostname: '127.0.0.1', port: String(ownPort) }).href,
    leave,
  };
}
