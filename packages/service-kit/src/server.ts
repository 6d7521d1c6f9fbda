import { type IncomingMessage, METHODS, type ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { Store } from '@vestibule/database';
import Fastify, { type HookHandlerDoneFunction } from 'fastify';
import { compileValidator } from './compile-validator.js';
import { registerConnectionMetrics } from './connection-metrics.js';
import { serverErrorHandler } from './error-handler.js';
import type { Reply, Request, Server } from './fastify-types.js';
import { quietLogController } from './log-controller.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import { createObserver } from './observer.js';
import { parseQuery } from './query-string.js';
import { hasRepeatedHeader } from './repeated-header.js';
import { requestIds } from './request-id.js';
import { forbidStoring } from './request-start.js';
import { replaceUndecodableSegments } from './safe-url.js';
import { type ServerContext, setServerContext } from './server-context.js';
import { type ServerTls, tlsServerOptions } from './server-tls.js';
import type { RequestTracer } from './tracing/request-tracer.js';
import { CountedResponse } from './unanswered-requests.js';
import { refuseUnreadable } from './unreadable-request.js';

/** What a server is made with. */
export interface ServerOptions {
  /** Where request lines go; `false` for none. */
  readonly logger: Logger | false;
  /** What counts the responses; without it nothing is counted. */
  readonly metrics?: Metrics;
  /** Records what requests do; without it nobody does. */
  readonly tracer?: RequestTracer | undefined;
  /** Addresses and CIDR blocks of proxies whose `X-Forwarded-*` headers are believed. Default none. */
  readonly trustedProxies?: readonly string[];
  /** How the server ends TLS itself; without it whoever is in front of it does. */
  readonly tls?: ServerTls;
  /** Knows when the machine was paused; no request is handled then before the time of the store is known again. */
  readonly pauses?: Pick<Store['clock'], 'settle'>;
}

/** A whole request must have arrived within this time. */
const REQUEST_TIMEOUT_MS = 10_000;
/** The head of a request must have arrived within this time. */
const HEADERS_TIMEOUT_MS = 10_000;
/** A socket may be idle for this long between requests: longer than common proxies keep theirs. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** How often slow requests are looked for. */
const CONNECTIONS_CHECK_MS = 2_000;
/** Sockets at a time; more are closed at once, so that those that are open go on being served. */
const MAX_CONNECTIONS = 10_000;
/** Head of a request, in bytes. */
const MAX_HEADER_BYTES = 16_384;

const HTTP_LIMITS = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
  maxHeaderSize: MAX_HEADER_BYTES,
  ServerResponse: CountedResponse,
};

/**
 * An HTTP server without routes: no body is read, nothing exists (empty 404, or 400 when a header that may come once is
 * repeated), failures have no body. Endpoint families are registered on it. It never answers by itself where a route
 * could: addresses that cannot be decoded reach the route with an identifier that nobody has, over-long ones reach it
 * as they are.
 */
export function createServer(options: ServerOptions): Server {
  const { metrics, tracer, trustedProxies = [], tls } = options;
  const logger = options.logger === false ? undefined : options.logger;
  const context: ServerContext = { logger, metrics: metrics?.http, tracer, draining: false };
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
  }).withTypeProvider<TypeBoxTypeProvider>();
  server.server.maxConnections = MAX_CONNECTIONS;
  if (metrics !== undefined) registerConnectionMetrics(metrics.registry, server.server);
  setServerContext(server, context);
  server.removeAllContentTypeParsers();
  server.setValidatorCompiler(compileValidator);
  server.decorateRequest('arrivedAt', 0);
  if (options.pauses !== undefined) server.addHook('preHandler', untilSettled(options.pauses));
  server.setErrorHandler(serverErrorHandler);
  server.setNotFoundHandler(notFoundHandler(context));
  addKnownMethods(server);
  return server;
}

/**
 * After the body was read: the machine can be paused while it comes. A store that does not answer is a fault of ours.
 */
function untilSettled(pauses: Pick<Store['clock'], 'settle'>) {
  return (_request: Request, _reply: Reply, done: HookHandlerDoneFunction): void => {
    const settling = pauses.settle();
    if (settling === undefined) done();
    else settling.then(() => done(), done);
  };
}

/** Routes a target that cannot be decoded once more, as one that can be; a target that is no path has no resource. */
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

/** Makes every method that Node knows one that a route can be for, so that each is answered with a 405. */
function addKnownMethods(server: Server): void {
  const supported = new Set(server.supportedMethods);
  for (const method of METHODS) if (!supported.has(method)) server.addHttpMethod(method);
}
