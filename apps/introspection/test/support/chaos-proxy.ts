import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A TCP proxy with controllable connections. */
export interface ChaosProxy {
  /** The address of the server through the proxy. */
  readonly url: string;
  /** Forwards again, including delayed data. */
  pass(): void;
  /** Keeps connections open without forwarding, like a frozen server. */
  freeze(): void;
  /** Cuts all connections, and every new one. */
  refuse(): void;
}

/** Starts a proxy for a server. */
export async function chaosProxy(target: string): Promise<ChaosProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let mode: 'pass' | 'freeze' | 'refuse' = 'pass';
  const hold = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    if (mode === 'freeze') socket.pause();
  };
  const server = createServer((client) => {
    if (mode === 'refuse') {
      client.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    hold(client);
    hold(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  const address = server.address();
  const ownPort = typeof address === 'object' && address !== null ? String(address.port) : '';
  return {
    url: Object.assign(new URL(target), { hostname: '127.0.0.1', port: ownPort }).href,
    pass: () => {
      mode = 'pass';
      for (const socket of sockets) socket.resume();
    },
    freeze: () => {
      mode = 'freeze';
      for (const socket of sockets) socket.pause();
    },
    refuse: () => {
      mode = 'refuse';
      cut();
    },
  };
}
