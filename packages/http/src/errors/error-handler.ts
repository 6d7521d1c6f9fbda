import { noteFailure } from '../observability/request-outcome.js';
import type { Reply, Request } from '../server/fastify-types.js';
import { languagesOf } from '../server/request-languages.js';
import { type ErrorResponse, type ErrorTable, presenterOf } from './error-table.js';
import { toDomainError } from './fastify-failures.js';

/**
 * Creates the error handler of a route group, which converts what was thrown to a {@link DomainError} and presents it
 * with the error table.
 */
export function routeGroupErrorHandler(
  errors: ErrorTable,
): (thrown: unknown, request: Request, reply: Reply) => void {
  return (thrown, request, reply) => {
    const error = toDomainError(thrown);
    noteFailure(request, { error, thrown });
    const present = presenterOf(errors, error.code);
    sendResponse(
      reply,
      present(error, () => languagesOf(request), request.id),
    );
  };
}

/** Error handler for requests outside all route groups: unknown resources and internal errors, both without a body. */
export function serverErrorHandler(thrown: unknown, request: Request, reply: Reply): void {
  const error = toDomainError(thrown);
  noteFailure(request, { error, thrown });
  sendResponse(reply, { status: request.is404 || error.code === 'not_found' ? 404 : 500 });
}

/**
 * Headers set before the failure that the error response keeps. The others belong to the response that was not sent.
 */
const KEPT_HEADERS = new Set(['cache-control', 'pragma', 'allow', 'accept-patch', 'vary', 'connection']);

function sendResponse(reply: Reply, { status, headers, body }: ErrorResponse): void {
  for (const name of Object.keys(reply.getHeaders())) if (!KEPT_HEADERS.has(name)) reply.removeHeader(name);
  reply.code(status);
  if (headers !== undefined) reply.headers(headers);
  reply.send(body);
}
