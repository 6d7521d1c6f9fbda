import { createServer, type Server, type ServerOptions } from '@vestibule/http';
import type { ForwardAuthDeps } from './deps.js';
import { forwardAuthRoutes } from './routes.js';

/** Builds the forward authentication server. Nothing listens yet. */
export function buildApp(deps: ForwardAuthDeps, options: ServerOptions): Server {
  const app = createServer(options);
  app.register(forwardAuthRoutes, deps);
  return app;
}
