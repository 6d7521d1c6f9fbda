import { createServer, type Server, type ServerOptions } from '@vestibule/http';
import type { FederationServiceDeps } from './deps.js';
import { federationRoutes } from './routes.js';

/** Builds the federation server. Nothing listens yet. */
export function buildApp(deps: FederationServiceDeps, options: ServerOptions): Server {
  const app = createServer(options);
  app.register(federationRoutes, deps);
  return app;
}
