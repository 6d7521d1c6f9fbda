import { openAuthorizationServerKeys, openServiceStore } from '@vestibule/service';
import type { Application, BuildContext } from '@vestibule/service/process';
import { buildApp } from './app.js';
import { composeLogout, logoutAgreement } from './compose.js';
import type { LogoutConfig } from './config.js';
import { composeDeliveryRoutes } from './delivery/compose-delivery-routes.js';
import { deliveryRoutes } from './delivery/delivery-routes.js';
import { openDeliveries } from './delivery/open-deliveries.js';

/** Builds the service for a process of its own. */
export function build({ settings, logger, metrics, tracer }: BuildContext<LogoutConfig>): Application {
  const { store, dependency } = openServiceStore({
    name: 'logout',
    settings,
    logger,
    metrics,
    tracer,
    agreed: { issuer: settings.BASE_URL, logout: logoutAgreement(settings) },
  });
  const authorizationServer = openAuthorizationServerKeys({
    settings,
    ours: store.providerKeys,
    logger,
    metrics,
    tracer,
  });
  const deps = composeLogout(settings, store, {
    authorizationServerKeys: authorizationServer?.keys,
    onRedirectRefused: (refusal) => logger.info(refusal, 'post_logout_redirect_uri refused'),
  });
  const server = buildApp(deps, {
    logger,
    metrics,
    tracer,
    trustedProxies: settings.TRUSTED_PROXIES,
    pauses: store.clock,
  });
  server.register(deliveryRoutes, composeDeliveryRoutes(settings, store));
  const deliveries = openDeliveries({ config: settings, store, logger, metrics, tracer });
  const others = authorizationServer === undefined ? [] : [authorizationServer.dependency];
  return { server, dependencies: [dependency, deliveries, ...others] };
}
