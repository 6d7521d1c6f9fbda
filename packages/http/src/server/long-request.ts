import type { Socket } from 'node:net';
import type { Reply, Request } from './fastify-types.js';
import { closeSlowClient } from './slow-client-timeout.js';

/** Connections whose current request may take longer than the time limit for receiving one. */
const exempt = new WeakSet<Socket>();

/**
 * Lifts the time limit for receiving a complete request, for a body that is processed while it arrives. Instead, the
 * connection is closed if it makes no progress in either direction for a while, as by {@link closeSlowClient}.
 */
export function allowLongRequest({ raw }: Pick<Request, 'raw'>, reply: Pick<Reply, 'raw'>): void {
  const { socket } = raw;
  exempt.add(socket);
  reply.raw.once('close', () => exempt.delete(socket));
  closeSlowClient(reply);
}

/** Whether the time limit is lifted for the current request of a connection. */
export function isLongRequest(socket: Socket): boolean {
  return exempt.has(socket);
}
