import type { FastifyPluginAsync, RawServerDefault } from 'fastify';
import type { BodyFormat } from './body-format.js';
import { type CrossOriginOptions, crossOrigin } from './cross-origin.js';
import { routeGroupErrorHandler } from './error-handler.js';
import type { ErrorPresenter, ErrorTable } from './error-table.js';
import type { LogLevel } from './log-levels.js';
import { addResource, type ResourceRoutes } from './resource.js';

/** Adds one resource with its operations. */
export type AddResource = (url: string, routes: ResourceRoutes) => void;

/** One route group: what its resources have in common. */
export interface RouteGroupOptions {
  /** Its name in metrics and logs. */
  readonly name: string;
  /** The form of request bodies; the only one, but for operations that have their own. */
  readonly body: BodyFormat;
  /** How its failures look. */
  readonly errors: ErrorTable;
  /** How a fault of ours looks. Default a 500 without a body. */
  readonly fault?: ErrorPresenter;
  /** Which pages of other origins may call it. Default none. */
  readonly crossOrigin?: CrossOriginOptions;
  /** The level of log lines about requests that succeed. Default `info`; `debug` for hot paths. */
  readonly successLevel?: LogLevel;
  /** Adds the resources. */
  readonly routes: (resource: AddResource) => void;
}

/**
 * An route group as a Fastify plugin: a scope of its own with one body parser, one error table, no storing of any
 * answer, and a 405 for methods that a resource does not have. Several families live side by side in one server that
 * `createServer` made; nothing of one reaches another.
 */
export function defineRouteGroup(
  options: RouteGroupOptions,
): FastifyPluginAsync<Record<never, never>, RawServerDefault> {
  const { name, body, errors, fault, crossOrigin: pages, successLevel = 'info', routes } = options;
  return async (scope) => {
    scope.setErrorHandler(routeGroupErrorHandler(errors, fault));
    await body.install(scope);
    const routeGroup = { name, successLevel, body, shared: pages && crossOrigin(pages) };
    routes((url, operations) => addResource(scope, routeGroup, url, operations));
  };
}
