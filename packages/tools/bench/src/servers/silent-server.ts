import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

/** A server that accepts every connection and never responds. */
export interface SilentServer {
  /** `host:port`. */
  readonly authority: string;
  /** The number of accepted connections. */
  count(): number;
  close(): Promise<void>;
}

/** Starts one in this process. */
export async function startSilentServer(host: string): Promise<SilentServer> {
  const open = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    authority: `${host}:${(server.address() as AddressInfo).port}`,
    count: () => connections,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
