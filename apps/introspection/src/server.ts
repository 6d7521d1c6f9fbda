import process from 'node:process';
import { createServiceEgress, openServiceStore, runService, serverTls } from '@vestibule/service-kit';
import { buildApp } from './app.js';
import { composeIntrospection } from './compose.js';
import { loadIntrospectionConfig } from './config.js';
import { openIntrospectionCache } from './introspection-cache.js';

/** With what a driver adds, no caller waits for longer than two seconds. */
const STATEMENT_TIMEOUT_MS = 1_500;

await runService({
  name: 'introspection',
  load: () => loadIntrospectionConfig(process.env),
  build: ({ settings, logger, metrics, tracer }) => {
    const { store, dependency } = openServiceStore({
      name: 'introspection',
      settings,
      logger,
      metrics,
      tracer,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      signingAlgorithms: [settings.ACCESS_TOKEN_SIGNING_ALG],
    });
    const cache = openIntrospectionCache({ config: settings, store, logger, metrics, tracer });
    const egress = createServiceEgress({ settings, metrics, tracer });
    const deps = composeIntrospection(settings, store, cache, { registry: metrics.registry, egress });
    const tls = serverTls(settings);
    const trustedProxies = settings.TRUSTED_PROXIES;
    const server = buildApp(deps, { logger, metrics, tracer, trustedProxies, ...(tls && { tls }) });
    return { server, dependencies: [dependency, ...cache.dependencies] };
  },
});
