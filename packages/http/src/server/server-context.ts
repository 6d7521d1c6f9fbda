import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpMetrics } from '../observability/http-metrics.js';
import type { Logger } from '../observability/logger.js';
import type { RequestTracer } from '../observability/request-tracer.js';
import type { Server } from './fastify-types.js';

/** Context shared by all scopes of a server. */
export interface ServerContext {
  readonly logger: Logger | undefined;
  readonly metrics: HttpMetrics | undefined;
  readonly tracer: RequestTracer | undefined;
  /** Whether responses carry `Connection: close`. */
  draining: boolean;
  /** Listener of the server for requests: Fastify, or a fast path in front of it. */
  handle: (request: IncomingMessage, response: ServerResponse) => void;
}

const contexts = new WeakMap<Server['server'], ServerContext>();

/** Sets the context of a new server. */
export function setServerContext(server: Server, context: ServerContext): void {
  contexts.set(server.server, context);
}

/**
 * Returns the context of a scope's server.
 * @throws TypeError if the server was not created by `createServer`
 */
export function serverContext(scope: Server): ServerContext {
  const context = contexts.get(scope.server);
  if (context === undefined) throw new TypeError('the server must be made by createServer');
  return context;
}

/**
 * Starts draining: from now on, responses carry `Connection: close`. The server still accepts connections and requests
 * until it is closed.
 */
export function beginDrain(server: Server): void {
  serverContext(server).draining = true;
}
