import { DomainError } from '@vestibule/protocol';
import type { HookHandlerDoneFunction } from 'fastify';
import type { Reply, Request } from './fastify-types.js';
import { passedOnBy } from './passed-on.js';
import { hasRepeatedHeader } from './repeated-header.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Arrival of the request on the monotonic clock, in milliseconds. */
    arrivedAt: number;
  }
}

/** The first hook of every request of a route group. */
export function startRequest(request: Request, reply: Reply, done: HookHandlerDoneFunction): void {
  const passedOn = passedOnBy(request.raw);
  if (request.raw.socket.destroyed && passedOn === undefined) {
    // It arrived together with the requests for which its connection was closed, so no client waits for the response.
    reply.hijack();
    return;
  }
  request.arrivedAt = passedOn?.arrivedAt ?? performance.now();
  forbidStoring(reply);
  if (hasRepeatedHeader(request.raw.rawHeaders)) {
    // A proxy may split the requests of this connection differently.
    reply.header('connection', 'close');
    done(new DomainError('invalid_request', 'A header that may occur only once is repeated'));
  } else {
    done();
  }
}

/**
 * Headers that forbid caching: responses contain credentials or information about them (RFC 6749 section 5.1, RFC 7592
 * section 3).
 */
export const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' } as const;

/** Forbids caching of a response. */
export function forbidStoring(reply: Reply): void {
  reply.headers(NO_STORE);
}
