import process from 'node:process';
import { createServiceEgress, openServiceStore, runService } from '@vestibule/service-kit';
import { enrolmentMetrics } from '@vestibule/service-kit/federation';
import { buildApp } from './app.js';
import { composeFederation } from './compose.js';
import { loadFederationConfig } from './config.js';
import { federationAlgorithms } from './own-statements.js';

await runService({
  name: 'federation',
  load: () => loadFederationConfig(process.env),
  build: ({ settings, logger, metrics, tracer }) => {
    const { store, dependency } = openServiceStore({
      name: 'federation',
      settings,
      logger,
      metrics,
      tracer,
      federationAlgorithms: federationAlgorithms(settings),
      cleanUpIntervalSeconds: settings.CLEAN_UP_INTERVAL_SECONDS,
    });
    const deps = composeFederation(settings, store, {
      metrics: enrolmentMetrics(metrics.registry),
      egress: createServiceEgress({ settings, metrics, tracer }),
    });
    const server = buildApp(deps, { logger, metrics, tracer, trustedProxies: settings.TRUSTED_PROXIES });
    return { server, dependencies: [dependency] };
  },
});
