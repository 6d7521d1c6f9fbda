import process from 'node:process';
import { openServiceStore, runService } from '@vestibule/service-kit';
import { buildApp } from './app.js';
import { composeIntrospection } from './compose.js';
import { loadIntrospectionConfig } from './config.js';

await runService({
  name: 'introspection',
  load: () => loadIntrospectionConfig(process.env),
  build: ({ settings, logger, metrics }) => {
    const { store, dependency } = openServiceStore({ name: 'introspection', settings, logger });
    const deps = composeIntrospection(settings, store);
    const server = buildApp(deps, { logger, metrics, trustedProxies: settings.TRUSTED_PROXIES });
    return { server, dependencies: [dependency] };
  },
});
