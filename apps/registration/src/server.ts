import process from 'node:process';
import { createServiceEgress, openServiceStore, runService } from '@vestibule/service-kit';
import { buildApp } from './app.js';
import { composeRegistration } from './compose.js';
import { loadRegistrationConfig } from './config.js';
import { openRateLimits } from './rate-limits.js';

await runService({
  name: 'registration',
  load: () => loadRegistrationConfig(process.env),
  build: ({ settings, logger, metrics, tracer }) => {
    const { store, dependency } = openServiceStore({
      name: 'registration',
      settings,
      logger,
      metrics,
      tracer,
      cleanUpIntervalSeconds: settings.CLEAN_UP_INTERVAL_SECONDS,
    });
    const rateLimits = openRateLimits({ config: settings, logger, metrics, tracer });
    const deps = composeRegistration(settings, store, {
      rateLimits: rateLimits.store,
      egress: createServiceEgress({ settings, metrics, tracer }),
    });
    const server = buildApp(deps, { logger, metrics, tracer, trustedProxies: settings.TRUSTED_PROXIES });
    return { server, dependencies: [dependency, ...rateLimits.dependencies] };
  },
});
