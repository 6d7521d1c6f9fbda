import process from 'node:process';
import { openServiceStore, runService } from '@vestibule/service-kit';
import { buildApp } from './app.js';
import { composeLogout } from './compose.js';
import { loadLogoutConfig } from './config.js';
import { composeDeliveryRoutes } from './delivery/compose-delivery-routes.js';
import { deliveryRoutes } from './delivery/delivery-routes.js';
import { openDeliveries } from './delivery/open-deliveries.js';

await runService({
  name: 'logout',
  load: () => loadLogoutConfig(process.env),
  build: ({ settings, logger, metrics, tracer }) => {
    const { store, dependency } = openServiceStore({ name: 'logout', settings, logger, metrics, tracer });
    const deps = composeLogout(settings, store);
    const server = buildApp(deps, { logger, metrics, tracer, trustedProxies: settings.TRUSTED_PROXIES });
    server.register(deliveryRoutes, composeDeliveryRoutes(settings, store));
    const deliveries = openDeliveries({ config: settings, store, logger, metrics, tracer });
    return { server, dependencies: [dependency, deliveries] };
  },
});
