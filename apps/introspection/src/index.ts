export { API_DOCUMENT_PATH, introspectionApi } from './api-document.js';
export { buildApp } from './app.js';
export { type ChangeStreams, type ChangeStreamsOptions, changeStreams } from './change-streams.js';
export { composeIntrospection } from './compose.js';
export { type IntrospectionConfig, IntrospectionSettings, loadIntrospectionConfig } from './config.js';
export type { IntrospectionServiceDeps } from './deps.js';
export {
  type IntrospectionCache,
  type IntrospectionCacheConfig,
  type IntrospectionCacheOptions,
  openIntrospectionCache,
} from './introspection-cache.js';
export { INTROSPECTION_ERRORS } from './presentation.js';
export { introspectionRouteGroup, introspectionRoutes } from './routes.js';
