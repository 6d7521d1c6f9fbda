import process from 'node:process';
import { openServiceStore, runService } from '@vestibule/service-kit';
import { buildApp } from './app.js';
import { composeIntrospection } from './compose.js';
import { loadIntrospectionConfig } from './config.js';
import { openIntrospectionCache } from './introspection-cache.js';

await runService({
  name: 'introspection',
  load: () => loadIntrospectionConfig(process.env),
  build: ({ settings, logger, metrics }) => {
    const { store, dependency } = openServiceStore({ name: 'introspection', settings, logger });
    const cache = openIntrospectionCache({ config: settings, store, logger, registry: metrics.registry });
    const deps = composeIntrospection(settings, store, cache);
    const server = buildApp(deps, { logger, metrics, trustedProxies: settings.TRUSTED_PROXIES });
    return { server, dependencies: [dependency, ...cache.dependencies] };
  },
});
