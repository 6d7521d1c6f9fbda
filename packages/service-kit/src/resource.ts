import { METHODS } from 'node:http';
import { DomainError } from '@vestibule/protocol';
import type {
  DoneFuncWithErrOrRes,
  FastifyPluginAsync,
  HookHandlerDoneFunction,
  RawServerDefault,
} from 'fastify';
import type { BodyFormat } from './body-format.js';
import { contentTypeMatcher } from './content-type.js';
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
  /** The form of request bodies. */
  readonly body: BodyFormat;
}

/**
 * Adds a resource to a scope: its operations, and for every other method that Node knows, `HEAD`
 * included, the family's `method_not_allowed` with `Allow` (RFC 9110 section 15.5.6). A resource that can be patched
 * says by what there and to patches of another media type (`Accept-Patch`, RFC 5789 sections 2.2 and 3.1).
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
  const acceptPatch = acceptPatchOf(family, routes);
  for (const [method, operation] of Object.entries(routes)) {
    const { mediaTypes } = operation.body ?? family.body;
    const last = [
      ...(operation.hasBody
        ? [refuseOtherMediaTypes(mediaTypes, method === 'PATCH' ? acceptPatch : {})]
        : []),
      ...(operation.hasQuery ? [refuseMalformedQuery] : []),
    ];
    attach(scope, operation, { methods: [method], url, last, ...hooks(method) });
  }
  const others = METHODS.filter((known) => !Object.hasOwn(routes, known));
  const refusal = refuseMethod({ allow: Object.keys(routes).join(', '), ...acceptPatch });
  // One route for all of them: each takes its share of the time to start.
  refusal.attach(scope, { methods: others, url, last: [], ...hooks('other') });
}

type Headers = Readonly<Record<string, string>>;

function acceptPatchOf(family: ResourceFamily, { PATCH: patch }: ResourceRoutes): Headers {
  if (patch === undefined) return {};
  const { mediaTypes } = patch.body ?? family.body;
  return { 'accept-patch': mediaTypes.join(', ') };
}

/** An operation whose bodies have a form of their own gets a scope of its own: no other operation takes that form. */
function attach(scope: Server, operation: Route, place: RoutePlace): void {
  const { body } = operation;
  if (body === undefined) {
    operation.attach(scope, place);
    return;
  }
  const scopeOfItsOwn: FastifyPluginAsync<Record<never, never>, RawServerDefault> = async (own) => {
    await body.install(own);
    operation.attach(own, place);
  };
  scope.register(scopeOfItsOwn);
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
function refuseOtherMediaTypes(mediaTypes: readonly string[], hints: Headers): HeadHook {
  const isAccepted = contentTypeMatcher(mediaTypes);
  return (request, reply, done) => {
    const { 'content-type': type, 'content-encoding': coding } = request.headers;
    if (!isAccepted(type)) {
      reply.headers(hints);
      done(new DomainError('invalid_request', 'The Content-Type is not the one accepted here'));
    } else if (coding !== undefined && coding !== 'identity')
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
function refuseMethod(headers: Headers): Route {
  return route({
    onRequest: (_request, reply, done) => {
      reply.headers(headers);
      done(new DomainError('method_not_allowed', 'The resource does not know this method'));
    },
    handler: (_request, reply) => reply.send(),
  });
}
