import { METHODS } from 'node:http';
import { DomainError } from '@vestibule/protocol';
import type { DoneFuncWithErrOrRes, HookHandlerDoneFunction } from 'fastify';
import type { Reply, Request, Server } from './fastify-types.js';
import type { LogLevel } from './log-levels.js';
import { createObserver, type Observer, type Operation } from './observer.js';
import { MALFORMED_QUERY } from './query-string.js';
import { startRequest } from './request-start.js';
import { type HeadHook, type Route, type RoutePlace, route } from './route.js';
import { type ServerContext, serverContext } from './server-context.js';
import { traceRequests } from './tracing/trace-requests.js';

/** The methods that an operation can have. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** The operations of one resource by method. */
export type ResourceRoutes = { readonly [M in Method]?: Route };

/** What a resource takes from its family. */
export interface ResourceFamily {
  readonly name: string;
  readonly successLevel: LogLevel;
  /** Whether a `Content-Type` is the one of its bodies. */
  readonly isMediaTypeAccepted: (header: string | undefined) => boolean;
}

/**
 * Adds a resource to a scope: its operations, and for every other method that Node knows, `HEAD`
 * included, the family's `method_not_allowed` with `Allow` (RFC 9110 section 15.5.6).
 */
export function addResource(
  scope: Server,
  family: ResourceFamily,
  url: string,
  routes: ResourceRoutes,
): void {
  const context = serverContext(scope);
  const { name, successLevel } = family;
  const hooks = (method: string) => observed(context, { family: name, method, route: url, successLevel });
  for (const [method, operation] of Object.entries(routes)) {
    const last = [
      ...(operation.hasBody ? [refuseOtherMediaTypes(family)] : []),
      ...(operation.hasQuery ? [refuseMalformedQuery] : []),
    ];
    operation.attach(scope, { methods: [method], url, last, ...hooks(method) });
  }
  const others = METHODS.filter((known) => !Object.hasOwn(routes, known));
  const refusal = refuseMethod(Object.keys(routes).join(', '));
  // One route for all of them: each takes its share of the time to start.
  refusal.attach(scope, { methods: others, url, last: [], ...hooks('other') });
}

/** What an operation begins and ends with: counted, logged, and recorded where somebody records. */
function observed(
  context: ServerContext,
  operation: Operation,
): Pick<RoutePlace, 'first' | 'resume' | 'onSend'> {
  const onSend = finishRequest(context, createObserver(context, operation));
  if (context.tracer === undefined) return { first: startRequest, onSend };
  return { ...traceRequests(context.tracer, operation, startRequest), onSend };
}

/** The hook that runs last, with the answer decided and its head not yet written. */
function finishRequest(context: ServerContext, observe: Observer) {
  return (request: Request, reply: Reply, _payload: unknown, done: DoneFuncWithErrOrRes): void => {
    if (context.draining) reply.header('connection', 'close');
    observe(request, reply, performance.now() - request.arrivedAt);
    done();
  };
}

/**
 * Fastify picks the parser by the essence of the media type alone; what else the header says is checked here. A coding
 * that we pass over and a proxy undoes would make two bodies of one.
 */
function refuseOtherMediaTypes({ isMediaTypeAccepted }: ResourceFamily): HeadHook {
  return (request, _reply, done) => {
    const { 'content-type': type, 'content-encoding': coding } = request.headers;
    if (!isMediaTypeAccepted(type))
      done(new DomainError('invalid_request', 'The Content-Type is not the one accepted here'));
    else if (coding !== undefined && coding !== 'identity')
      done(new DomainError('invalid_request', 'The body must come without a Content-Encoding'));
    else done();
  };
}

function refuseMalformedQuery(request: Request, _reply: Reply, done: HookHandlerDoneFunction): void {
  if (request.query === MALFORMED_QUERY) {
    done(new DomainError('invalid_request', 'The query is malformed or repeats a parameter'));
  } else {
    done();
  }
}

/** Refuses before the body is read: the method is wrong whatever the body says. */
function refuseMethod(allow: string): Route {
  return route({
    onRequest: (_request, reply, done) => {
      reply.header('allow', allow);
      done(new DomainError('method_not_allowed', 'The resource does not know this method'));
    },
    handler: (_request, reply) => reply.send(),
  });
}
