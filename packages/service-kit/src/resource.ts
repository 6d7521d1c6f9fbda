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
import type { CrossOrigin } from './cross-origin.js';
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
export interface ResourceGroup {
  readonly name: string;
  readonly successLevel: LogLevel;
  /** The form of request bodies. */
  readonly body: BodyFormat;
  /** What is done about pages of other origins. */
  readonly shared: CrossOrigin | undefined;
}

/**
 * Adds a resource to a scope: its operations, and for every other method that Node knows, `HEAD` included, the route
 * group's `method_not_allowed` with `Allow` (RFC 9110 section 15.5.6). A resource that can be patched says by what
 * there and to patches of another media type (`Accept-Patch`, RFC 5789 sections 2.2 and 3.1).
 */
export function addResource(
  scope: Server,
  routeGroup: ResourceGroup,
  url: string,
  routes: ResourceRoutes,
): void {
  const context = serverContext(scope);
  const { name, successLevel } = routeGroup;
  const hooks = (method: string) =>
    observed(context, { routeGroup: name, method, route: url, successLevel }, routeGroup.shared);
  const acceptPatch = acceptPatchOf(routeGroup, routes);
  for (const [method, operation] of Object.entries(routes)) {
    const { mediaTypes } = operation.body ?? routeGroup.body;
    const last = [
      ...(operation.hasBody
        ? [refuseOtherMediaTypes(mediaTypes, method === 'PATCH' ? acceptPatch : {})]
        : []),
      ...(operation.hasQuery ? [refuseMalformedQuery] : []),
    ];
    attach(scope, operation, { methods: [method], url, last, ...hooks(method) });
  }
  const methods = Object.keys(routes).join(', ');
  const refuse = refuseMethod({ allow: methods, ...acceptPatch });
  const known = routeGroup.shared === undefined ? Object.keys(routes) : [...Object.keys(routes), 'OPTIONS'];
  const others = METHODS.filter((method) => !known.includes(method));
  // One route for all of them: each takes its share of the time to start.
  answering(refuse).attach(scope, { methods: others, url, last: [], ...hooks('other') });
  if (routeGroup.shared === undefined || routes.OPTIONS !== undefined) return;
  const preflight = answering(respondToPreflight(routeGroup.shared, methods, refuse));
  preflight.attach(scope, { methods: ['OPTIONS'], url, last: [], ...hooks('OPTIONS') });
}

type Headers = Readonly<Record<string, string>>;

function acceptPatchOf(routeGroup: ResourceGroup, { PATCH: patch }: ResourceRoutes): Headers {
  if (patch === undefined) return {};
  const { mediaTypes } = patch.body ?? routeGroup.body;
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
    own.removeAllContentTypeParsers();
    await body.install(own);
    operation.attach(own, place);
  };
  scope.register(scopeOfItsOwn);
}

/** What an operation begins and ends with: counted, logged, and recorded where someone records. */
function observed(
  context: ServerContext,
  operation: Operation,
  shared: CrossOrigin | undefined,
): Pick<RoutePlace, 'first' | 'resume' | 'onSend'> {
  const onSend = finishRequest(context, createObserver(context, operation), shared);
  if (context.tracer === undefined) return { first: startRequest, onSend };
  return { ...traceRequests(context.tracer, operation, startRequest), onSend };
}

/** The hook that runs last, with the response decided and its head not yet written. */
function finishRequest(context: ServerContext, observe: Observer, shared: CrossOrigin | undefined) {
  return (request: Request, reply: Reply, _payload: unknown, done: DoneFuncWithErrOrRes): void => {
    shared?.share(request, reply);
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
  const refusal = `Content-Type must be ${mediaTypes.join(' or ')}`;
  return (request, reply, done) => {
    const { 'content-type': type, 'content-encoding': coding } = request.headers;
    if (!isAccepted(type)) {
      reply.headers(hints);
      done(new DomainError('invalid_request', refusal));
    } else if (coding !== undefined && coding !== 'identity')
      done(new DomainError('invalid_request', 'Content-Encoding must be absent or identity'));
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

/** Decides before the body is read: the method is what it is whatever the body says. */
function answering(onRequest: HeadHook): Route {
  return route({ onRequest, handler: (_request, reply) => reply.send() });
}

function refuseMethod(headers: Headers): HeadHook {
  return (_request, reply, done) => {
    reply.headers(headers);
    done(new DomainError('method_not_allowed', 'The resource does not support this method'));
  };
}

/** Answers the preflights of pages that may call the resource; to everyone else it does not know the method. */
function respondToPreflight(shared: CrossOrigin, methods: string, refuse: HeadHook): HeadHook {
  return function response(request, reply, done) {
    const permission = shared.permission(request, methods);
    if (permission === undefined) refuse.call(this, request, reply, done);
    else reply.code(204).headers(permission).send();
  };
}
