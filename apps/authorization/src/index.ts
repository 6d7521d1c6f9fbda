export { buildApp } from './app.js';
export type {
  AuthorizationServiceDeps,
  DirectAuthorizationDeps,
  DirectAuthorizationSettings,
} from './deps.js';
export { AUTHORIZATION_ERRORS } from './presentation.js';
export { authorizationRoutes } from './routes.js';
