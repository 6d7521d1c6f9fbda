import { LogController } from 'fastify';
import type { Logger } from '../observability/logger.js';

/**
 * Filters Fastify's own log lines. Most are dropped, because they contain URLs and every response already has a line.
 * Failures after the response headers were written are kept.
 */
export function quietLogController(logger: Logger | undefined): LogController {
  const nothing = () => {};
  const failure = (message: string) => (error: Error, request: { readonly id: string }) => {
    logger?.warn({ requestId: request.id, error }, message);
  };
  return Object.assign(new LogController(), {
    incomingRequest: nothing,
    requestCompleted: nothing,
    defaultErrorLog: nothing,
    routeNotFound: nothing,
    serviceUnavailable: nothing,
    streamError: failure('the response broke off'),
    writeHeadError: failure('the head of a response could not be written'),
    serializerError: failure('a response could not be serialised'),
  });
}
