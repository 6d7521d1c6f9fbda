import { createServiceEgress, openAuthorizationServerKeys, openServiceStore } from '@vestibule/service';
import type { Application, BuildContext } from '@vestibule/service/process';
import { serverTls } from '@vestibule/service/tls';
import { buildApp } from './app.js';
import { composeIntrospection } from './compose.js';
import type { IntrospectionConfig } from './config.js';
import { openIntrospectionCache } from './introspection-cache.js';

/** Postgres cancels statements after this time, so that a response takes at most two seconds, driver included. */
const STATEMENT_TIMEOUT_MS = 1_500;

/** Builds the service with its store, cache and egress, for a process that runs nothing else. */
export function build({ settings, logger, metrics, tracer }: BuildContext<IntrospectionConfig>): Application {
  const { store, dependency } = openServiceStore({
    name: 'introspection',
    settings,
    logger,
    metrics,
    tracer,
    agreed: { issuer: settings.BASE_URL },
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    signingAlgorithms: [settings.ACCESS_TOKEN_SIGNING_ALG],
  });
  const authorizationServer = openAuthorizationServerKeys({
    settings,
    ours: store.providerKeys,
    logger,
    metrics,
    tracer,
  });
  const authorizationServerKeys = authorizationServer?.keys;
  const cache = openIntrospectionCache({
    config: settings,
    store,
    authorizationServerKeys,
    logger,
    metrics,
    tracer,
  });
  const egress = createServiceEgress({ settings, metrics, tracer });
  const deps = composeIntrospection(settings, store, cache, {
    authorizationServerKeys,
    registry: metrics.registry,
    egress,
  });
  const tls = serverTls(settings);
  const trustedProxies = settings.TRUSTED_PROXIES;
  const server = buildApp(deps, {
    logger,
    metrics,
    tracer,
    trustedProxies,
    pauses: store.clock,
    ...(tls && { tls }),
  });
  const others = authorizationServer === undefined ? [] : [authorizationServer.dependency];
  return { server, dependencies: [dependency, ...cache.dependencies, ...others] };
}
