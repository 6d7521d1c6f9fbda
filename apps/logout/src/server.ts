import process from 'node:process';
import { openServiceStore, runService } from '@vestibule/service-kit';
import { buildApp } from './app.js';
import { composeLogout } from './compose.js';
import { loadLogoutConfig } from './config.js';

await runService({
  name: 'logout',
  load: () => loadLogoutConfig(process.env),
  build: ({ settings, logger, metrics }) => {
    const { store, dependency } = openServiceStore({ name: 'logout', settings, logger });
    const deps = composeLogout(settings, store);
    const server = buildApp(deps, { logger, metrics, trustedProxies: settings.TRUSTED_PROXIES });
    return { server, dependencies: [dependency] };
  },
});
