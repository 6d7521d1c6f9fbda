import type { LogLevel } from '@vestibule/protocol/logging';
import type { FastifyPluginAsync, RawServerDefault } from 'fastify';
import type { BodyFormat } from '../bodies/body-format.js';
import { routeGroupErrorHandler } from '../errors/error-handler.js';
import type { ErrorTable } from '../errors/error-table.js';
import { type CrossOriginOptions, crossOrigin } from './cross-origin.js';
import { namedPlugin } from './named-plugin.js';
import { addResource, type ResourceRoutes } from './resource.js';

/**
 * Adds one resource with its operations.
 * @param crossOrigin cross-origin access to this resource, in place of that of the route group
 */
export type AddResource = (url: string, routes: ResourceRoutes, crossOrigin?: CrossOriginOptions) => void;

/** Options of a route group, shared by its resources. */
export interface RouteGroupOptions {
  /** Name in metrics and logs. */
  readonly name: string;
  /** Format of request bodies; operations may override it. */
  readonly body: BodyFormat;
  /** Error responses by code. */
  readonly errors: ErrorTable;
  /** Cross-origin access. Default: none. */
  readonly crossOrigin?: CrossOriginOptions;
  /** Log level for successful requests. Default `info`; use `debug` for hot paths. */
  readonly successLevel?: LogLevel;
  /** Adds the resources. */
  readonly routes: (resource: AddResource) => void;
}

/**
 * Defines a route group as a Fastify plugin: a scope with its own body parser and error table, responses that must not
 * be cached, and a 405 for unsupported methods. Several route groups can share a server created by `createServer`; they
 * are isolated from each other.
 */
export function defineRouteGroup(
  options: RouteGroupOptions,
): FastifyPluginAsync<Record<never, never>, RawServerDefault> {
  const { name, body, errors, crossOrigin: pages, successLevel = 'info', routes } = options;
  const plugin: FastifyPluginAsync<Record<never, never>, RawServerDefault> = async (scope) => {
    scope.setErrorHandler(routeGroupErrorHandler(errors));
    await body.install(scope);
    const routeGroup = { name, successLevel, body, shared: pages && crossOrigin(pages) };
    routes((url, operations, pagesOfResource) => {
      const shared = pagesOfResource === undefined ? routeGroup.shared : crossOrigin(pagesOfResource);
      addResource(scope, { ...routeGroup, shared }, url, operations);
    });
  };
  return namedPlugin(name, plugin);
}
