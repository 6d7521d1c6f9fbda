import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from '../server/fastify-types.js';
import { hasRepeatedHeader } from '../server/repeated-header.js';
import { type ServerContext, serverContext } from '../server/server-context.js';

/** The front of a server, where a listener takes requests before Fastify does. */
export interface ServerFront {
  readonly context: ServerContext;
  /** Passes an unread request on: to the next listener, or to Fastify. */
  next: ServerContext['handle'];
  isClosing: boolean;
}

/** Takes a request, or passes it on. */
export type FrontListener = (front: ServerFront, request: IncomingMessage, response: ServerResponse) => void;

/** Puts a listener in front of the server of a scope. */
export function addFrontListener(scope: Server, listener: FrontListener): void {
  const context = serverContext(scope);
  const { server } = scope;
  const front: ServerFront = { context, next: context.handle, isClosing: false };
  const listen = (request: IncomingMessage, response: ServerResponse) => listener(front, request, response);
  scope.addHook('onReady', async () => {
    front.next = context.handle;
    context.handle = listen;
    server.off('request', front.next).on('request', listen);
  });
  scope.addHook('preClose', async () => {
    front.isClosing = true;
  });
}

/** Whether a request may be taken: its headers are unambiguous, and the connection is to stay open. */
export function isTakeable({ context, isClosing }: ServerFront, request: IncomingMessage): boolean {
  return (
    !hasRepeatedHeader(request.rawHeaders) && !request.socket.destroyed && !context.draining && !isClosing
  );
}
