import process from 'node:process';
import { openServiceStore, runService } from '@vestibule/service-kit';
import { buildApp } from './app.js';
import { composeRegistration } from './compose.js';
import { loadRegistrationConfig } from './config.js';
import { openRateLimits } from './rate-limits.js';

await runService({
  name: 'registration',
  load: () => loadRegistrationConfig(process.env),
  build: ({ settings, logger, metrics }) => {
    const { store, dependency } = openServiceStore({
      name: 'registration',
      settings,
      logger,
      cleanUpIntervalSeconds: settings.CLEAN_UP_INTERVAL_SECONDS,
    });
    const rateLimits = openRateLimits({ config: settings, logger });
    const deps = composeRegistration(settings, store, { rateLimits: rateLimits.store });
    const server = buildApp(deps, { logger, metrics, trustedProxies: settings.TRUSTED_PROXIES });
    return { server, dependencies: [dependency, ...rateLimits.dependencies] };
  },
});
