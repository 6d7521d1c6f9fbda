export { buildApp } from './app.js';
export { composeAuthorization } from './compose.js';
export { type AuthorizationConfig, AuthorizationServiceSettings, loadAuthorizationConfig } from './config.js';
export type {
  AuthorizationServiceDeps,
  DirectAuthorizationDeps,
  DirectAuthorizationSettings,
} from './deps.js';
export { AUTHORIZATION_ERRORS } from './presentation.js';
export { authorizationRoutes } from './routes.js';
