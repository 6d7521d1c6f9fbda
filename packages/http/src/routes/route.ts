import type { FastifySchema, onRequestHookHandler } from 'fastify';
import type { TSchema } from 'typebox';
import type { BodyFormat } from '../bodies/body-format.js';
import type { OperationDescription } from '../openapi/operation-description.js';
import type { Handler, Hook, SendHook, Server } from '../server/fastify-types.js';
import type { FastPath } from './fast-path.js';
import type { HeadFastPath } from './head-fast-path.js';

/** An operation on a resource. */
export interface RouteDefinition<Schema extends FastifySchema> {
  /**
   * TypeBox types for `body`, `querystring` and `headers`. With `body`, the request must have a body; without it, a
   * body is read and ignored. Do not declare `params`: the operation decides whether an identifier exists.
   */
  readonly schema?: Schema;
  /** Body format, if it differs from that of the route group. It replaces the format of the route group. */
  readonly body?: BodyFormat;
  /** Documentation for the API document. Routes without it are left out. */
  readonly description?: OperationDescription;
  /** Runs before the body is read. */
  readonly onRequest?: Hook;
  /** Runs after validation, before the handler. */
  readonly preHandler?: Hook;
  /**
   * Time limit of the handler in milliseconds. When it is exceeded, the response is a 500 and `request.signal` is
   * aborted. It costs a timer and an abort controller per request, so hot paths set deadlines on their own calls
   * instead.
   */
  readonly handlerTimeoutMs?: number;
  readonly handler: Handler<Schema>;
  /** Serves the usual requests in front of Fastify. The route must have no other query or body than a form. */
  readonly fastPath?: FastPath | undefined;
  /** Serves the usual requests in front of Fastify. The route must be for GET and have no query. */
  readonly headFastPath?: HeadFastPath | undefined;
}

/** A hook that checks a request before its body is read. */
export type HeadHook = onRequestHookHandler;

/** Hooks and URL that the resource adds to each of its routes. */
export interface RouteHooks {
  readonly methods: readonly string[];
  readonly url: string;
  /** Runs before the route's own `onRequest`. */
  readonly first: HeadHook;
  /** Run after it, in the same phase, because every additional hook phase is expensive on hot paths. */
  readonly last: readonly HeadHook[];
  /** Runs after the body was read, before validation. */
  readonly resume?: Hook | undefined;
  readonly onSend: SendHook;
}

/** An operation that can be attached to a scope, without its schema types. */
export interface Route {
  readonly hasBody: boolean;
  readonly hasQuery: boolean;
  /** Request schemas, for the API document. */
  readonly schema: { readonly body?: TSchema; readonly querystring?: TSchema };
  /** Body format, if it differs from that of the route group. */
  readonly body?: BodyFormat;
  readonly description?: OperationDescription;
  readonly fastPath?: FastPath | undefined;
  readonly headFastPath?: HeadFastPath | undefined;
  attach(scope: Server, hooks: RouteHooks): void;
}

/** Creates a route whose handler has the request types of its schema. */
export function route<const Schema extends FastifySchema>(definition: RouteDefinition<Schema>): Route {
  const { schema, body, description, onRequest, preHandler, handlerTimeoutMs, handler } = definition;
  const { fastPath, headFastPath } = definition;
  return {
    hasBody: schema?.body !== undefined,
    hasQuery: schema?.querystring !== undefined,
    schema: documentedSchema(schema),
    ...(body === undefined ? {} : { body }),
    ...(description === undefined ? {} : { description }),
    fastPath,
    headFastPath,
    attach: (scope, hooks) => {
      scope.route({
        method: [...hooks.methods],
        url: hooks.url,
        ...(schema === undefined ? {} : { schema }),
        onRequest: [hooks.first, ...(onRequest === undefined ? [] : [onRequest]), ...hooks.last],
        ...(hooks.resume === undefined ? {} : { preValidation: hooks.resume }),
        ...(preHandler === undefined ? {} : { preHandler }),
        onSend: hooks.onSend,
        ...(handlerTimeoutMs === undefined ? {} : { handlerTimeout: handlerTimeoutMs }),
        handler,
      });
    },
  };
}

/** Route schemas are TypeBox types, which Fastify's types do not express. */
function documentedSchema(schema: FastifySchema = {}): Route['schema'] {
  const { body, querystring } = schema as { readonly body?: TSchema; readonly querystring?: TSchema };
  return { ...(body && { body }), ...(querystring && { querystring }) };
}
