import { createServer, type Server, type ServerOptions } from '@vestibule/http';
import type { AuthorizationServiceDeps } from './deps.js';
import { authorizationRoutes } from './routes.js';

/** Builds the authorization server. Nothing listens yet. */
export function buildApp(deps: AuthorizationServiceDeps, options: ServerOptions): Server {
  const app = createServer(options);
  app.register(authorizationRoutes, deps);
  return app;
}
