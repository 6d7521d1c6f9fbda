import type { FastifySchema, onRequestHookHandler } from 'fastify';
import type { TSchema } from 'typebox';
import type { BodyFormat } from './body-format.js';
import type { Handler, Hook, SendHook, Server } from './fastify-types.js';
import type { OperationDescription } from './openapi/operation-description.js';

/** One operation on a resource. */
export interface RouteDefinition<Schema extends FastifySchema> {
  /**
   * TypeBox types for `body`, `querystring` and `headers`. With a `body` the request must have one; without, a body is
   * read and ignored. Say nothing about `params`: whether an identifier exists is the operation's decision.
   */
  readonly schema?: Schema;
  /** The form of its bodies, where that is another one than its family has; then it is the only one. */
  readonly body?: BodyFormat;
  /** What the API document says about it. A route without is not in the document. */
  readonly description?: OperationDescription;
  /** Runs before the body is read. */
  readonly onRequest?: Hook;
  /** Runs when the request has its shape, before the handler. */
  readonly preHandler?: Hook;
  /**
   * The time that the handler has, in milliseconds; then the response is a 500 and `request.signal` is aborted. It
   * costs a timer and an abort controller per request: hot paths give deadlines to their own calls instead.
   */
  readonly handlerTimeoutMs?: number;
  readonly handler: Handler<Schema>;
}

/** A hook that judges the head of a request, before its body is read. */
export type HeadHook = onRequestHookHandler;

/** What the resource adds to each of its routes. */
export interface RoutePlace {
  readonly methods: readonly string[];
  readonly url: string;
  /** Runs before the route's own `onRequest`. */
  readonly first: HeadHook;
  /** Run after it. In one phase with it: each phase of hooks costs the hot path as much as what it does. */
  readonly last: readonly HeadHook[];
  /** Runs when the body was read, before anything looks at it. */
  readonly resume?: Hook | undefined;
  readonly onSend: SendHook;
}

/** An operation that can be attached to a scope; the types of its schema stay inside. */
export interface Route {
  readonly hasBody: boolean;
  readonly hasQuery: boolean;
  /** The schemas that requests are checked with, for the API document. */
  readonly schema: { readonly body?: TSchema; readonly querystring?: TSchema };
  /** The form of its bodies, where it is not that of its family. */
  readonly body?: BodyFormat;
  readonly description?: OperationDescription;
  attach(scope: Server, place: RoutePlace): void;
}

/** Makes a route whose handler sees the request as its schema describes it. */
export function route<const Schema extends FastifySchema>(definition: RouteDefinition<Schema>): Route {
  const { schema, body, description, onRequest, preHandler, handlerTimeoutMs, handler } = definition;
  return {
    hasBody: schema?.body !== undefined,
    hasQuery: schema?.querystring !== undefined,
    schema: documentedSchema(schema),
    ...(body === undefined ? {} : { body }),
    ...(description === undefined ? {} : { description }),
    attach: (scope, place) => {
      scope.route({
        method: [...place.methods],
        url: place.url,
        ...(schema === undefined ? {} : { schema }),
        onRequest: [place.first, ...(onRequest === undefined ? [] : [onRequest]), ...place.last],
        ...(place.resume === undefined ? {} : { preValidation: place.resume }),
        ...(preHandler === undefined ? {} : { preHandler }),
        onSend: place.onSend,
        ...(handlerTimeoutMs === undefined ? {} : { handlerTimeout: handlerTimeoutMs }),
        handler,
      });
    },
  };
}

/** Schemas of routes are TypeBox types, which Fastify cannot tell. */
function documentedSchema(schema: FastifySchema = {}): Route['schema'] {
  const { body, querystring } = schema as { readonly body?: TSchema; readonly querystring?: TSchema };
  return { ...(body && { body }), ...(querystring && { querystring }) };
}
