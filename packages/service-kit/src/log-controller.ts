import { LogController } from 'fastify';
import type { Logger } from './logger.js';

/**
 * Fastify's own log lines, of which most are left out (they would carry addresses, and each response has its line
 * already). What remains are failures after the head of a response was written.
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
