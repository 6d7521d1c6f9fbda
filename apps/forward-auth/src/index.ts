export { API_DOCUMENT_PATH, forwardAuthApi } from './api/api-document.js';
export { buildApp } from './app.js';
export { build as buildForwardAuth } from './build.js';
export { composeForwardAuth, type ForwardAuth, type ForwardAuthParts } from './compose.js';
export { type ForwardAuthConfig, ForwardAuthSettings, loadForwardAuthConfig } from './config.js';
export type {
  AllowAtOnce,
  AllowedRequest,
  DecideRequest,
  Decision,
  GatewayRequest,
  HeaderFields,
  RefusedRequest,
} from './decision.js';
export type { ForwardAuthDeps } from './deps.js';
export { FORWARD_AUTH_ERRORS } from './presentation.js';
export { forwardAuthRouteGroup, forwardAuthRoutes } from './routes.js';
export { routedResources } from './settings/routes-settings.js';
