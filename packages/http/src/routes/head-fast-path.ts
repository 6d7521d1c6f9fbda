import type { IncomingMessage } from 'node:http';
import type { Operation } from '../observability/observer.js';
import type { Server } from '../server/fastify-types.js';
import { NO_STORE } from '../server/request-start.js';
import { addFrontListener, isTakeable } from './server-front.js';

type HeaderList = readonly string[];

/** Serves the usual requests of a GET route, which have no body, in front of Fastify. */
export interface HeadFastPath {
  /**
   * Returns the headers, names and values in turn, of a response with status 200 and no body. Returns `undefined`,
   * throws or rejects to leave the request to the route; nothing may have been counted or changed then.
   */
  readonly respond: (request: IncomingMessage) => HeaderList | Promise<HeaderList> | undefined;
}

const NO_STORE_FIELDS = Object.entries(NO_STORE).flat();

/**
 * Puts a fast path in front of the server of a scope. It takes requests with exactly the URL of the route and without a
 * body, and passes every other request on to Fastify unread. It counts like the route, but runs no hooks. Not where
 * requests are traced, or successful ones logged.
 */
export function addHeadFastPath(scope: Server, operation: Operation, { respond }: HeadFastPath): void {
  const fieldsFor = leavingErrors(respond);
  addFrontListener(scope, operation, (front, request, response) => {
    if (hasBody(request.rawHeaders) || !isTakeable(front, request)) {
      front.next(request, response);
      return;
    }
    const arrivedAt = performance.now();
    const send = (fields: HeaderList) => {
      front.metrics?.record(200, performance.now() - arrivedAt);
      const connection = front.isEnding() ? ['connection', 'close'] : [];
      response.writeHead(200, [...NO_STORE_FIELDS, ...fields, 'content-length', '0', ...connection]).end();
    };
    const fields = fieldsFor(request);
    if (fields === undefined) front.next(request, response);
    else if (fields instanceof Promise) fields.then(send, () => front.next(request, response));
    else send(fields);
  });
}

/** Whether a header announces a body (RFC 9112 section 6.3). */
function hasBody(rawHeaders: readonly string[]): boolean {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length !== 'content-length'.length && name.length !== 'transfer-encoding'.length) continue;
    const lower = name.toLowerCase();
    if (lower === 'content-length' || lower === 'transfer-encoding') return true;
  }
  return false;
}

/** The same function, except that it returns `undefined` where it throws: the route then throws where errors are presented. */
function leavingErrors(respond: HeadFastPath['respond']): HeadFastPath['respond'] {
  return (request) => {
    try {
      return respond(request);
    } catch {
      return undefined;
    }
  };
}
