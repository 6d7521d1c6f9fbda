import { METHODS } from 'node:http';
import type { onRequestHookHandler } from 'fastify';
import { requestMember } from '../observability/request-member.js';
import type { Reply, Request, Server } from './fastify-types.js';

/** Methods that Fastify treats individually, as far as Node.js supports them. Each has routes of its own. */
const ROUTED = new Set(
  ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'TRACE'].filter((method) =>
    METHODS.includes(method),
  ),
);

/** Method whose routes serve every other method. No resource has an operation of its own for it. */
const STAND_IN = 'TRACE';

/** The methods to register for a resource, so that every method that Node.js supports reaches a route of it. */
export const ROUTED_METHODS: readonly string[] = [...ROUTED];

const ownMethods = requestMember<string>('method');

/**
 * Routes a request with a method without routes (such as `PROPFIND`) to the route of the stand-in. It saves a route for
 * each such method and resource, which would be most of all routes, and of the startup time. Runs where no route was
 * found, before the response is decided.
 */
export function routeRareMethod(server: Server) {
  return ({ raw }: Request, reply: Reply, done: () => void): void => {
    if (raw.method === undefined || ROUTED.has(raw.method)) {
      done();
      return;
    }
    ownMethods.set(raw, raw.method);
    raw.method = STAND_IN;
    reply.hijack();
    server.routing(raw, reply.raw);
  };
}

/** A first hook that sees every request with its own method, not with the stand-in. */
export function withOwnMethod(first: onRequestHookHandler): onRequestHookHandler {
  return function hook(request, reply, done) {
    const method = ownMethods.get(request.raw);
    if (method !== undefined) request.raw.method = method;
    return first.call(this, request, reply, done);
  };
}
