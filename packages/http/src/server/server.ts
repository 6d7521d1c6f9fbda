import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type HookHandlerDoneFunction, LogController } from 'fastify';
import { parseQuery } from '../bodies/url-encoded.js';
import { serverErrorHandler } from '../errors/error-handler.js';
import type { Logger } from '../observability/logger.js';
import type { Metrics } from '../observability/metrics.js';
import { createObserver } from '../observability/observer.js';
import type { RequestTracer } from '../observability/request-tracer.js';
import { compileValidator } from './compile-validator.js';
import { registerConnectionMetrics } from './connection-metrics.js';
import type { Reply, Request, Server } from './fastify-types.js';
import { isLongRequest } from './long-request.js';
import { routeRareMethod } from './rare-methods.js';
import { hasRepeatedHeader } from './repeated-header.js';
import { forbidStoring } from './request-start.js';
import { replaceUndecodableSegments } from './safe-url.js';
import { type ServerContext, setServerContext } from './server-context.js';
import { type ServerTls, tlsServerOptions } from './server-tls.js';
import { CountedResponse } from './unanswered-requests.js';
import { keepUnsentResponses } from './unsent-responses.js';

/** Detects pauses of the machine. */
export interface PauseSignal {
  /** Returns a promise after a pause, until the time is known again. */
  settle(): Promise<void> | undefined;
}

/** Options of {@link createServer}. */
export interface ServerOptions {
  /** Logger for requests; `false` for none. */
  readonly logger: Logger | false;
  /** Counts responses, if given. */
  readonly metrics?: Metrics;
  /** Traces requests, if given. */
  readonly tracer?: RequestTracer | undefined;
  /** Addresses and CIDR blocks of proxies whose `X-Forwarded-*` headers are trusted. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** TLS options, if the server terminates TLS itself. */
  readonly tls?: ServerTls;
  /** Detects pauses of the machine. After a pause, no request is handled until the time of the store is known again. */
  readonly pauses?: PauseSignal;
}

/** Time limit for receiving a complete request. */
const REQUEST_TIMEOUT_MS = 10_000;
/** Time limit for receiving the request headers. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Keep-alive timeout; longer than that of common proxies. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** Interval of the check for slow requests. */
const CONNECTIONS_CHECK_MS = 2_000;
/** Maximum number of connections. Further ones are closed at once, so that open ones are still served. */
const MAX_CONNECTIONS = 10_000;
/** Maximum size of the request headers, in bytes. */
const MAX_HEADER_BYTES = 16_384;

const HTTP_LIMITS = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
  maxHeaderSize: MAX_HEADER_BYTES,
  ServerResponse: CountedResponse,
};

/** Keeps Fastify from loading its own compilers, which are large. The server sets another for requests. */
const NO_COMPILERS = { buildValidator: noCompiler, buildSerializer: noCompiler };

/**
 * Creates an HTTP server without routes. No body is read and nothing exists: the response is an empty 404, or a 400 if
 * a header that may occur only once is repeated. Failures have no body. Route groups are registered on it. The server
 * never responds on its own if a route could: URLs that cannot be decoded reach the route with an identifier that no
 * resource has, and over-long ones reach it unchanged.
 */
export function createServer(options: ServerOptions): Server {
  const { metrics, tracer, trustedProxies = [], tls } = options;
  const logger = options.logger === false ? undefined : options.logger;
  const server: Server = Fastify({
    logController: quietLogController(logger),
    genReqId: requestIds(),
    ...(tls === undefined ? { http: HTTP_LIMITS } : { https: { ...HTTP_LIMITS, ...tlsServerOptions(tls) } }),
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    exposeHeadRoutes: false,
    allowErrorHandlerOverride: false,
    return503OnClosing: false,
    ...(trustedProxies.length === 0 ? {} : { trustProxy: [...trustedProxies] }),
    routerOptions: {
      maxParamLength: MAX_HEADER_BYTES,
      querystringParser: parseQuery,
      onBadUrl: (_path, request, response) => routeAgain(server, request, response),
    },
    clientErrorHandler: refuseUnreadable,
    schemaController: { compilersFactory: NO_COMPILERS },
  }).withTypeProvider<TypeBoxTypeProvider>();
  server.server.maxConnections = MAX_CONNECTIONS;
  keepUnsentResponses(server.server, tls === undefined ? 'connection' : 'secureConnection');
  if (metrics !== undefined) registerConnectionMetrics(metrics.registry, server.server);
  const context: ServerContext = {
    logger,
    metrics: metrics?.http,
    tracer,
    draining: false,
    handle: server.routing,
  };
  setServerContext(server, context);
  server.removeAllContentTypeParsers();
  server.setValidatorCompiler(compileValidator);
  server.decorateRequest('arrivedAt', 0);
  if (options.pauses !== undefined) server.addHook('preHandler', untilSettled(options.pauses));
  server.setErrorHandler(serverErrorHandler);
  server.setNotFoundHandler({ preValidation: routeRareMethod(server) }, notFoundHandler(context));
  return server;
}

function noCompiler(): never {
  throw new TypeError('only requests have schemas');
}

/**
 * Waits after a pause of the machine until the time of the store is known. Runs after the body was read, because a
 * pause can happen while it arrives. If the store does not respond, that is an internal error.
 */
function untilSettled(pauses: PauseSignal) {
  return (_request: Request, _reply: Reply, done: HookHandlerDoneFunction): void => {
    const settling = pauses.settle();
    if (settling === undefined) done();
    else settling.then(() => done(), done);
  };
}

/**
 * Routes a target that cannot be decoded again, with its segments replaced. A target that is not a path has no
 * resource.
 */
function routeAgain(server: Server, request: IncomingMessage, response: ServerResponse): void {
  const url = replaceUndecodableSegments(request.url ?? '');
  if (url === request.url) {
    const isRepeated = hasRepeatedHeader(request.rawHeaders);
    const headers = { 'cache-control': 'no-store', 'content-length': '0' };
    response
      .writeHead(isRepeated ? 400 : 404, isRepeated ? { ...headers, connection: 'close' } : headers)
      .end();
  } else {
    request.url = url;
    server.routing(request, response);
  }
}

function notFoundHandler(context: ServerContext) {
  const observe = createObserver(context, {
    routeGroup: 'none',
    method: 'any',
    route: 'unknown',
    successLevel: 'info',
  });
  return (request: Request, reply: Reply): void => {
    forbidStoring(reply);
    const isRepeated = hasRepeatedHeader(request.raw.rawHeaders);
    if (context.draining || isRepeated) reply.header('connection', 'close');
    reply.code(isRepeated ? 400 : 404);
    observe(request, reply, 0);
    reply.send();
  };
}

/**
 * Creates a generator of request ids: a random prefix per process and a counter. The ids are practically unique across
 * processes and never come from the client.
 */
function requestIds(): () => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}

/**
 * Filters Fastify's own log lines. Most are dropped, because they contain URLs and every response already has a line.
 * Failures after the response headers were written are kept.
 */
function quietLogController(logger: Logger | undefined): LogController {
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
    serializerError: failure('a response could not be serialized'),
  });
}

/** Node reports it once per request, and leaves the rest to the listener. */
const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

const STATUS_LINES: Readonly<Record<string, string>> = {
  [REQUEST_TIMEOUT]: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/**
 * Responds without a body to input that the HTTP parser could not read, and closes the connection, because nothing
 * after it can be trusted.
 */
function refuseUnreadable(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (error.code === REQUEST_TIMEOUT && isLongRequest(socket)) return;
  const status = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request';
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}
