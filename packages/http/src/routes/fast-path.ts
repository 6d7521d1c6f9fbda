import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { contentTypeMatcher, isEncoded } from '../bodies/body-format.js';
import type { FormBody } from '../bodies/form-body.js';
import type { UrlEncodedFields } from '../bodies/url-encoded.js';
import type { Operation } from '../observability/observer.js';
import type { Server } from '../server/fastify-types.js';
import { NO_STORE } from '../server/request-start.js';
import { addFrontListener, isTakeable, leavingErrors, type ServerFront } from './server-front.js';

/** Serves the usual requests of a POST route in front of Fastify, which takes longer than what such a route does. */
export interface FastPath {
  /** Format of request bodies: that of the route. */
  readonly form: FormBody;
  /** Headers of a response of the route with status 200, in its order. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Returns the body of a response with status 200. Returns `undefined` or throws to leave the request to the route;
   * nothing may have been counted or changed then.
   */
  readonly respond: (headers: IncomingHttpHeaders, form: UrlEncodedFields) => string | undefined;
}

/**
 * Puts a fast path in front of the server of a scope. It takes a request with a usual header whose whole body arrived
 * together with the header, and passes every other request on to Fastify unread. It counts like the route, but runs no
 * hooks. Not where requests are traced, or successful ones logged.
 */
export function addFastPath(scope: Server, operation: Operation, fastPath: FastPath): void {
  const { form } = fastPath;
  const respond = leavingErrors(fastPath.respond);
  const isAccepted = contentTypeMatcher(form.mediaTypes);
  const headers = [...Object.entries(NO_STORE), ...Object.entries(fastPath.headers)].flat();

  const isUsual = (front: ServerFront, request: IncomingMessage): boolean => {
    const { 'content-type': type, prefer } = request.headers;
    const length = lengthOf(request);
    return (
      length > 0 &&
      length <= form.maxBytes &&
      isAccepted(type) &&
      !isEncoded(request.headers) &&
      prefer === undefined &&
      isTakeable(front, request)
    );
  };
  const bodyFor = (request: IncomingMessage): string | undefined => {
    if (request.readableLength !== lengthOf(request)) return undefined;
    const bytes: Buffer | null = request.read();
    if (bytes === null) return undefined;
    const fields = form.parse(bytes.toString());
    const body = fields && respond(request.headers, fields);
    if (body === undefined) request.unshift(bytes);
    return body;
  };
  addFrontListener(scope, operation, (front, request, response) => {
    if (!isUsual(front, request)) {
      front.next(request, response);
      return;
    }
    const arrivedAt = performance.now();
    // What arrived together with the header has been parsed by then.
    process.nextTick(() => {
      const body = bodyFor(request);
      if (body === undefined) {
        front.next(request, response);
        return;
      }
      // Where Fastify responds: when the parser has accepted the whole request. It also frees the request.
      request.on('end', () => {
        front.metrics?.record(200, performance.now() - arrivedAt);
        response.writeHead(200, [...headers, 'content-length', String(Buffer.byteLength(body))]).end(body);
      });
      request.resume();
    });
  });
}

/** Length of a body; `NaN` where it is not stated. */
function lengthOf({ headers }: IncomingMessage): number {
  return Number(headers['content-length']);
}
