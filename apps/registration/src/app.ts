import { createServer, type Server, type ServerOptions } from '@vestibule/http';
import type { RegistrationServiceDeps } from './deps.js';
import { registrationRoutes } from './routes.js';

/** Builds the registration server without listening. */
export function buildApp(deps: RegistrationServiceDeps, options: ServerOptions): Server {
  const app = createServer(options);
  app.register(registrationRoutes, deps);
  return app;
}
