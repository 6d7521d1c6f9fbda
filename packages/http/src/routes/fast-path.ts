import type { IncomingMessage, ServerResponse } from 'node:http';
import { contentTypeMatcher, isEncoded } from '../bodies/body-format.js';
import type { FormBody } from '../bodies/form-body.js';
import type { UrlEncodedFields } from '../bodies/url-encoded.js';
import type { Operation } from '../observability/observer.js';
import type { Server } from '../server/fastify-types.js';
import { type Outcome, passOn } from '../server/passed-on.js';
import { NO_STORE } from '../server/request-start.js';
import { addFrontListener, isTakeable, type ServerFront } from './server-front.js';

/** Serves the usual requests of a POST route in front of Fastify, which takes longer than what such a route does. */
export interface FastPath {
  /** Format of request bodies: that of the route. */
  readonly form: FormBody;
  /** Headers of a response of the route with status 200, in its order. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Does what the handler of the route does: returns the body of a response with status 200, or throws or rejects.
   * Returns `undefined` to leave the request to the route; nothing may have been counted or changed then. The route must
   * have no `preHandler`, and no `onRequest` that refuses: it would refuse what has been done.
   */
  readonly respond: (
    request: IncomingMessage,
    form: UrlEncodedFields,
  ) => string | Promise<string> | undefined;
}

/**
 * Puts a fast path in front of the server of a scope. It takes a request with a usual header whose whole body arrived
 * together with the header, and passes every other request on to Fastify unread. It counts like the route, but runs no
 * hooks. The route presents what failed, and ends the connection where that is due: see `sendPassedOn`. Not where
 * requests are traced, or successful ones logged.
 */
export function addFastPath(scope: Server, operation: Operation, fastPath: FastPath): void {
  const { form } = fastPath;
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
  const respond = (request: IncomingMessage, fields: UrlEncodedFields) => {
    try {
      const body = fastPath.respond(request, fields);
      return body instanceof Promise ? outcomeOf(body) : body;
    } catch (error) {
      return outcomeOf(Promise.reject(error));
    }
  };
  const send = (front: ServerFront, response: ServerResponse, body: string, arrivedAt: number) => {
    front.metrics?.record(200, performance.now() - arrivedAt);
    response.writeHead(200, [...headers, 'content-length', String(Buffer.byteLength(body))]).end(body);
  };
  const sendLater = async (
    front: ServerFront,
    response: ServerResponse,
    pending: Promise<Outcome>,
    arrivedAt: number,
  ) => {
    const outcome = await pending;
    if ('body' in outcome && !front.isEnding()) {
      send(front, response, outcome.body, arrivedAt);
      return;
    }
    passOn(response.req, { outcome, arrivedAt });
    front.next(response.req, response);
  };
  const take = (
    front: ServerFront,
    request: IncomingMessage,
    response: ServerResponse,
    arrivedAt: number,
  ) => {
    const bytes: Buffer | null = request.readableLength === lengthOf(request) ? request.read() : null;
    const fields = bytes === null ? undefined : form.parse(bytes.toString());
    const body = fields && respond(request, fields);
    if (body === undefined) {
      if (bytes !== null) request.unshift(bytes);
      front.next(request, response);
      return;
    }
    // Where Fastify responds: when the parser has accepted the whole request. It also frees the request.
    request.on('end', () => {
      if (typeof body === 'string') send(front, response, body, arrivedAt);
      else void sendLater(front, response, body, arrivedAt);
    });
    request.resume();
  };
  addFrontListener(scope, operation, (front, request, response) => {
    if (!isUsual(front, request)) {
      front.next(request, response);
      return;
    }
    const arrivedAt = performance.now();
    // What arrived together with the header has been parsed by then.
    process.nextTick(take, front, request, response, arrivedAt);
  });
}

/** Waits for a body. Never rejects. */
async function outcomeOf(body: Promise<string>): Promise<Outcome> {
  try {
    return { body: await body };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** Length of a body; `NaN` where it is not stated. */
function lengthOf({ headers }: IncomingMessage): number {
  return Number(headers['content-length']);
}
