import { DomainError } from '@vestibule/protocol';
import type { HookHandlerDoneFunction } from 'fastify';
import type { Reply, Request } from './fastify-types.js';
import { hasRepeatedHeader } from './repeated-header.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** When the request arrived, on the monotonic clock, in milliseconds. */
    arrivedAt: number;
  }
}

/** The hook that runs first on every request of a route group, before anything else can answer. */
export function startRequest(request: Request, reply: Reply, done: HookHandlerDoneFunction): void {
  if (request.raw.socket.destroyed) {
    // It came together with those for which its connection was cut. Nobody waits for it.
    reply.hijack();
    return;
  }
  request.arrivedAt = performance.now();
  forbidStoring(reply);
  if (hasRepeatedHeader(request.raw.rawHeaders)) {
    // Whoever sent it may see the requests of this connection cut elsewhere.
    reply.header('connection', 'close');
    done(new DomainError('invalid_request', 'A header that may occur only once is repeated'));
  } else {
    done();
  }
}

/**
 * No cache may keep the response: it carries credentials or is about them (RFC 6749 section 5.1, RFC 7592 section 3).
 */
export function forbidStoring(reply: Reply): void {
  reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
}
