import type { ErrorPresenter, ErrorResponse, ErrorTable } from './error-table.js';
import { toDomainError } from './fastify-failures.js';
import type { Reply, Request } from './fastify-types.js';
import { languagesOf } from './request-languages.js';
import { noteFailure } from './request-outcome.js';

const INTERNAL: ErrorResponse = { status: 500 };

/**
 * The error handler of one route group: what was thrown becomes a {@link DomainError}, the table says how that looks.
 * Whatever is not the caller's doing is a 500 without a body, whatever the table says, unless the route group has
 * one response of its own for that.
 */
export function routeGroupErrorHandler(
  errors: ErrorTable,
  fault: ErrorPresenter = () => INTERNAL,
): (thrown: unknown, request: Request, reply: Reply) => void {
  return (thrown, request, reply) => {
    const error = toDomainError(thrown);
    noteFailure(request, { error, thrown });
    const present = error.code === 'server_error' ? fault : errors[error.code];
    sendResponse(
      reply,
      present(error, () => languagesOf(request)),
    );
  };
}

/**
 * The error handler of everything outside the families: unknown resources and our own mistakes, both without a body.
 */
export function serverErrorHandler(thrown: unknown, request: Request, reply: Reply): void {
  const error = toDomainError(thrown);
  noteFailure(request, { error, thrown });
  sendResponse(reply, { status: request.is404 || error.code === 'not_found' ? 404 : 500 });
}

/** What a response keeps of the headers that were set before it failed; the rest belonged to another response. */
const KEPT_HEADERS = new Set(['cache-control', 'pragma', 'allow', 'accept-patch', 'vary', 'connection']);

function sendResponse(reply: Reply, { status, headers, body }: ErrorResponse): void {
  for (const name of Object.keys(reply.getHeaders())) if (!KEPT_HEADERS.has(name)) reply.removeHeader(name);
  reply.code(status);
  if (headers !== undefined) reply.headers(headers);
  reply.send(body);
}
