import { createServer, type Server, type ServerOptions } from '@vestibule/http';
import type { LogoutServiceDeps } from './deps.js';
import { logoutRoutes } from './routes.js';

/** Builds the logout server. Nothing listens yet. */
export function buildApp(deps: LogoutServiceDeps, options: ServerOptions): Server {
  const app = createServer(options);
  app.register(logoutRoutes, deps);
  return app;
}
