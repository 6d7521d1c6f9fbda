import { createServer, type Server, type ServerOptions } from '@vestibule/service-kit';
import type { FederationServiceDeps } from './deps.js';
import { federationRoutes } from './routes.js';

/** The federation service: pure construction, nothing listens. */
export function buildApp(deps: FederationServiceDeps, options: ServerOptions): Server {
  const app = createServer(options);
  app.register(federationRoutes, deps);
  return app;
}
