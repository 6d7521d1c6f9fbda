import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OperationMetrics } from '../observability/http-metrics.js';
import type { Operation } from '../observability/observer.js';
import type { Server } from '../server/fastify-types.js';
import { hasRepeatedHeader } from '../server/repeated-header.js';
import { type ServerContext, serverContext } from '../server/server-context.js';

/** The front of a server, where a listener takes requests of an operation before Fastify does. */
export interface ServerFront {
  /** Passes a request on, unread or marked by `passOn`: to the next listener, or to Fastify. */
  next: ServerContext['handle'];
  /** Counts responses like the route. */
  readonly metrics: OperationMetrics | undefined;
  /** Whether connections are to close after the present response. */
  isEnding(): boolean;
}

/** Takes a request, or passes it on. */
export type FrontListener = (front: ServerFront, request: IncomingMessage, response: ServerResponse) => void;

/**
 * Puts a listener in front of the server of a scope, for the requests with exactly the URL and the method of an
 * operation. Not where requests are traced, or successful ones logged.
 */
export function addFrontListener(
  scope: Server,
  { routeGroup, method, route, successLevel }: Operation,
  listener: FrontListener,
): void {
  const context = serverContext(scope);
  if (context.tracer !== undefined || context.logger?.isLevelEnabled(successLevel)) return;
  const { server } = scope;
  const url = scope.prefix + route;
  let isClosing = false;
  const front: ServerFront = {
    next: context.handle,
    metrics: context.metrics?.operation(routeGroup, `${method} ${route}`),
    isEnding: () => context.draining || isClosing,
  };
  const listen = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === url && request.method === method) listener(front, request, response);
    else front.next(request, response);
  };
  scope.addHook('onReady', async () => {
    front.next = context.handle;
    context.handle = listen;
    server.off('request', front.next).on('request', listen);
  });
  scope.addHook('preClose', async () => {
    isClosing = true;
  });
}

/** Whether a request may be taken: its headers are unambiguous, and the connection is to stay open. */
export function isTakeable(front: ServerFront, request: IncomingMessage): boolean {
  return !hasRepeatedHeader(request.rawHeaders) && !request.socket.destroyed && !front.isEnding();
}
