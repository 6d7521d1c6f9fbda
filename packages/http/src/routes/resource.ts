import { DomainError } from '@vestibule/protocol';
import type { LogLevel } from '@vestibule/protocol/logging';
import type {
  DoneFuncWithErrOrRes,
  FastifyPluginAsync,
  HookHandlerDoneFunction,
  RawServerDefault,
} from 'fastify';
import { type BodyFormat, contentTypeMatcher, isEncoded } from '../bodies/body-format.js';
import { MALFORMED_QUERY } from '../bodies/url-encoded.js';
import { createObserver, type Observer, type Operation } from '../observability/observer.js';
import { traceRequests } from '../observability/trace-requests.js';
import type { Reply, Request, Server } from '../server/fastify-types.js';
import { passedOnBy } from '../server/passed-on.js';
import { ROUTED_METHODS, withOwnMethod } from '../server/rare-methods.js';
import { startRequest } from '../server/request-start.js';
import { type ServerContext, serverContext } from '../server/server-context.js';
import type { CrossOrigin } from './cross-origin.js';
import { addFastPath, type FastPath } from './fast-path.js';
import { addHeadFastPath } from './head-fast-path.js';
import { namedPlugin } from './named-plugin.js';
import { type HeadHook, type Route, type RouteHooks, route } from './route.js';

/** The methods that an operation can have. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** The operations of one resource by method; `ANY` has every method without an operation of its own. */
export type ResourceRoutes = { readonly [M in Method | 'ANY']?: Route };

/** Options that a resource inherits from its route group. */
export interface ResourceGroup {
  readonly name: string;
  readonly successLevel: LogLevel;
  /** Format of request bodies. */
  readonly body: BodyFormat;
  /** CORS handling. */
  readonly shared: CrossOrigin | undefined;
}

/**
 * Adds a resource to a scope: its operations, and `method_not_allowed` with `Allow` for every other method that Node
 * supports, including `HEAD` (RFC 9110 section 15.5.6), unless `ANY` takes these. A resource with PATCH sends
 * `Accept-Patch` there and in responses to patches of an unsupported media type (RFC 5789 sections 2.2 and 3.1).
 */
export function addResource(
  scope: Server,
  routeGroup: ResourceGroup,
  url: string,
  { ANY: any, ...routes }: ResourceRoutes,
): void {
  const context = serverContext(scope);
  const { name, successLevel } = routeGroup;
  const operationOf = (method: string) => ({ routeGroup: name, method, route: url, successLevel });
  const hooks = (method: string) => observed(context, operationOf(method), routeGroup.shared);
  const hooksOfMany = (method: string) => {
    const { first, ...others } = hooks(method);
    return { first: withOwnMethod(first), ...others };
  };
  const acceptPatch = acceptPatchOf(routeGroup, routes);
  for (const [method, operation] of Object.entries(routes)) {
    const last = bodyAndQueryHooks(operation, routeGroup, method === 'PATCH' ? acceptPatch : {});
    attach(scope, operation, { methods: [method], url, last, ...hooks(method) });
    if (routeGroup.shared === undefined) addFastPaths(scope, operationOf(method), operation);
  }
  if (any !== undefined) {
    const left = ROUTED_METHODS.filter((method) => !Object.hasOwn(routes, method));
    attach(scope, any, { methods: left, url, last: [], ...hooksOfMany('any') });
    return;
  }
  const methods = Object.keys(routes).join(', ');
  const refuse = refuseMethod({ allow: methods, ...acceptPatch });
  const known = routeGroup.shared === undefined ? Object.keys(routes) : [...Object.keys(routes), 'OPTIONS'];
  const others = ROUTED_METHODS.filter((method) => !known.includes(method));
  // One route for all of them, because each route adds to the startup time.
  headRoute(refuse).attach(scope, { methods: others, url, last: [], ...hooksOfMany('other') });
  if (routeGroup.shared === undefined || routes.OPTIONS !== undefined) return;
  const preflight = headRoute(respondToPreflight(routeGroup.shared, methods, refuse));
  preflight.attach(scope, { methods: ['OPTIONS'], url, last: [], ...hooks('OPTIONS') });
}

type Headers = Readonly<Record<string, string>>;

function bodyAndQueryHooks(operation: Route, routeGroup: ResourceGroup, hints: Headers): readonly HeadHook[] {
  const { mediaTypes } = operation.body ?? routeGroup.body;
  return [
    ...(operation.fastPath === undefined ? [] : [sendPassedOn(operation.fastPath)]),
    ...(operation.hasBody ? [refuseOtherMediaTypes(mediaTypes, hints)] : []),
    ...(operation.hasQuery ? [refuseMalformedQuery] : []),
  ];
}

/** Creates a hook that sends what the fast path of the route got for a request that it passed on. */
function sendPassedOn({ headers }: FastPath): HeadHook {
  return ({ raw }, reply, done) => {
    const outcome = passedOnBy(raw)?.outcome;
    if (outcome === undefined) done();
    else if ('error' in outcome) done(outcome.error);
    else reply.headers(headers).send(outcome.body);
  };
}

function addFastPaths(scope: Server, operation: Operation, { fastPath, headFastPath }: Route): void {
  if (fastPath !== undefined) addFastPath(scope, operation, fastPath);
  if (headFastPath !== undefined) addHeadFastPath(scope, operation, headFastPath);
}

function acceptPatchOf(routeGroup: ResourceGroup, { PATCH: patch }: ResourceRoutes): Headers {
  if (patch === undefined) return {};
  const { mediaTypes } = patch.body ?? routeGroup.body;
  return { 'accept-patch': mediaTypes.join(', ') };
}

/**
 * Attaches an operation. If it has its own body format, it gets its own scope, so that no other operation accepts that
 * format.
 */
function attach(scope: Server, operation: Route, hooks: RouteHooks): void {
  const { body } = operation;
  if (body === undefined) {
    operation.attach(scope, hooks);
    return;
  }
  const scopeOfItsOwn: FastifyPluginAsync<Record<never, never>, RawServerDefault> = async (own) => {
    own.removeAllContentTypeParsers();
    await body.install(own);
    operation.attach(own, hooks);
  };
  scope.register(namedPlugin(hooks.url, scopeOfItsOwn));
}

/** Hooks that count, log and (if enabled) trace an operation. */
function observed(
  context: ServerContext,
  operation: Operation,
  shared: CrossOrigin | undefined,
): Pick<RouteHooks, 'first' | 'resume' | 'onSend'> {
  const onSend = finishRequest(context, createObserver(context, operation), shared);
  if (context.tracer === undefined) return { first: startRequest, onSend };
  return { ...traceRequests(context.tracer, operation, startRequest), onSend };
}

/** The last hook, which runs before the response headers are written. */
function finishRequest(context: ServerContext, observe: Observer, shared: CrossOrigin | undefined) {
  return (request: Request, reply: Reply, _payload: unknown, done: DoneFuncWithErrOrRes): void => {
    shared?.share(request, reply);
    if (context.draining) reply.header('connection', 'close');
    observe(request, reply, performance.now() - request.arrivedAt);
    done();
  };
}

/** Fastify chooses the parser by the media type without parameters; the rest of the header is checked here. */
function refuseOtherMediaTypes(mediaTypes: readonly string[], hints: Headers): HeadHook {
  const isAccepted = contentTypeMatcher(mediaTypes);
  const refusal = `Content-Type must be ${mediaTypes.join(' or ')}`;
  return ({ headers }, reply, done) => {
    if (!isAccepted(headers['content-type'])) {
      reply.headers(hints);
      done(new DomainError('invalid_request', refusal));
    } else if (isEncoded(headers))
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

/** Creates a route that responds before the body is read. */
function headRoute(onRequest: HeadHook): Route {
  return route({ onRequest, handler: (_request, reply) => reply.send() });
}

function refuseMethod(headers: Headers): HeadHook {
  return (_request, reply, done) => {
    reply.headers(headers);
    done(new DomainError('method_not_allowed', 'The resource does not support this method'));
  };
}

/** Responds to preflights of allowed pages; for any other request the method is not allowed. */
function respondToPreflight(shared: CrossOrigin, methods: string, refuse: HeadHook): HeadHook {
  return function response(request, reply, done) {
    const permission = shared.permission(request, methods);
    if (permission === undefined) refuse.call(this, request, reply, done);
    else reply.code(204).headers(permission).send();
  };
}
