export { type Bearer, type BearerChallenge, bearerChallenge, parseBearer } from './errors/bearer.js';
export {
  type ErrorPresenter,
  type ErrorResponse,
  type ErrorTable,
  emptyError,
  JSON_CONTENT_TYPE,
  jsonError,
  type LanguageRequest,
  presenterOf,
  throttledError,
} from './errors/error-table.js';
export { type ErrorOccasions, errorsReference } from './errors/errors-reference.js';
export { type CrossOriginOptions, MCP_VERSION_HEADER, PUBLIC_DOCUMENT } from './routes/cross-origin.js';
export type { FastPath } from './routes/fast-path.js';
export type { HeadFastPath } from './routes/head-fast-path.js';
export type { Method, ResourceRoutes } from './routes/resource.js';
export { type Route, type RouteDefinition, route } from './routes/route.js';
export { type AddResource, defineRouteGroup, type RouteGroupOptions } from './routes/route-group.js';
export type { Handler, Hook, Reply, Request, Server } from './server/fastify-types.js';
export { allowLongRequest } from './server/long-request.js';
export { networkOf } from './server/network-of.js';
export { refusePipelined } from './server/pipelined-request.js';
export { languagesOf } from './server/request-languages.js';
export { createServer, type ServerOptions } from './server/server.js';
export { beginDrain } from './server/server-context.js';
export type { ServerTls } from './server/server-tls.js';
export { closeSlowClient } from './server/slow-client-timeout.js';
