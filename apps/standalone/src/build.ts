import { authorizationRoutes, composeAuthorization } from '@vestibule/authorization';
import { composeIntrospection, introspectionRoutes } from '@vestibule/introspection';
import { composeRegistration, registrationRoutes } from '@vestibule/registration';
import {
  type Application,
  type BuildContext,
  createServer,
  openServiceStore,
  Secret,
} from '@vestibule/service-kit';
import type { StandaloneConfig } from './config.js';
import { openLocalDatabase } from './local-database.js';

/** Builds every service into one server over one store. The database is up to date when it returns. */
export async function build({
  settings,
  logger,
  metrics,
}: BuildContext<StandaloneConfig>): Promise<Application> {
  const database = await openLocalDatabase(settings.secrets.folder, settings.DATABASE_URL?.reveal());
  const { store, dependency } = openServiceStore({
    name: 'standalone',
    settings: { ...settings.store, DATABASE_URL: new Secret(database.url) },
    logger,
    signingAlgorithms: settings.authorization.SIGNING_ALGORITHMS,
    cleanUpIntervalSeconds: settings.authorization.CLEAN_UP_INTERVAL_SECONDS,
  });
  await store.opened;
  const server = createServer({ logger, metrics, trustedProxies: settings.TRUSTED_PROXIES });
  server.register(registrationRoutes, composeRegistration(settings.registration, store));
  server.register(introspectionRoutes, composeIntrospection(settings.introspection, store));
  server.register(authorizationRoutes, composeAuthorization(settings.authorization, store));
  return { server, dependencies: [...database.dependencies, dependency] };
}
