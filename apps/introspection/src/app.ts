import { createServer, type Server, type ServerOptions } from '@vestibule/http';
import type { IntrospectionServiceDeps } from './deps.js';
import { introspectionRoutes } from './routes.js';

/** Builds the introspection service, without listening or opening connections. */
export function buildApp(deps: IntrospectionServiceDeps, options: ServerOptions): Server {
  const app = createServer(options);
  app.register(introspectionRoutes, deps);
  return app;
}
