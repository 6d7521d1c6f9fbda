import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Connections that this process has opened since the start of the count. */
export interface ClientConnections {
  /** The largest number that were open at once. A server sees later that a connection was closed. */
  readonly most: () => number;
}

/** Counts the connections that this process opens, until the test ends. */
export function countClientConnections(): ClientConnections {
  const open = new Set<Socket>();
  let most = 0;
  const onSocket = (message: unknown) => {
    open.add((message as { readonly socket: Socket }).socket);
    for (const socket of open) if (socket.destroyed) open.delete(socket);
    most = Math.max(most, open.size);
  };
  subscribe('net.client.socket', onSocket);
  onTestFinished(() => void unsubscribe('net.client.socket', onSocket));
  return { most: () => most };
}
