import type { Server } from './fastify-types.js';
import type { HttpMetrics } from './http-metrics.js';
import type { Logger } from './logger.js';
import type { RequestTracer } from './tracing/request-tracer.js';

/** What all scopes of one server share. */
export interface ServerContext {
  readonly logger: Logger | undefined;
  readonly metrics: HttpMetrics | undefined;
  readonly tracer: RequestTracer | undefined;
  /** Whether every response asks the peer to close its connection. */
  draining: boolean;
}

const contexts = new WeakMap<Server['server'], ServerContext>();

/** Keeps the context of a server that was just made. */
export function setServerContext(server: Server, context: ServerContext): void {
  contexts.set(server.server, context);
}

/**
 * The context of a scope's server.
 * @throws TypeError when the server was not made by `createServer`
 */
export function serverContext(scope: Server): ServerContext {
  const context = contexts.get(scope.server);
  if (context === undefined) throw new TypeError('the server must be made by createServer');
  return context;
}

/**
 * Asks every peer to leave: from now on answers carry `Connection: close`. The server still accepts and answers;
 * closing it is the next step.
 */
export function beginDrain(server: Server): void {
  serverContext(server).draining = true;
}
