import { createServer, defineRouteGroup, type Server, type ServerOptions } from '@vestibule/http';
import { formBody } from '@vestibule/http/bodies';
import { consoleErrors } from './frame/console-errors.js';
import type { ConsoleRoute } from './frame/console-route.js';
import { addConsoleRoutes } from './frame/console-routes.js';
import type { ConsoleRoutesDeps } from './frame/console-routes-deps.js';
import { addStaticFiles } from './frame/static-files.js';
import { addUnknownPaths } from './frame/unknown-paths.js';
import { addLiveStream } from './live/live-route.js';
import type { LiveStreams } from './live/live-streams.js';

/** Large enough for the metadata of a client. */
const FORM_MAX_BYTES = 262_144;
const FORM_MAX_PARAMETERS = 200;

/** Dependencies of {@link buildApp}. */
export interface AppDeps extends ConsoleRoutesDeps {
  readonly liveStreams: LiveStreams;
}

/** Builds the server of the console. Nothing listens yet. */
export function buildApp(deps: AppDeps, routes: readonly ConsoleRoute[], options: ServerOptions): Server {
  const app = createServer(options);
  app.addHook('preClose', async () => deps.liveStreams.end());
  app.register(
    defineRouteGroup({
      name: 'console',
      body: formBody({ maxBytes: FORM_MAX_BYTES, maxParameters: FORM_MAX_PARAMETERS }),
      errors: consoleErrors,
      routes: (resource) => {
        addStaticFiles(resource);
        addLiveStream(resource, deps.liveStreams);
        addConsoleRoutes(resource, deps, routes);
        addUnknownPaths(resource, deps);
      },
    }),
  );
  return app;
}
