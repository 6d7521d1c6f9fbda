import { countingRegistrations, createServiceEgress, openServiceStore } from '@vestibule/service';
import { federationRegistrationMetrics } from '@vestibule/service/federation';
import type { Application, BuildContext } from '@vestibule/service/process';
import { buildApp } from './app.js';
import { composeFederation } from './compose.js';
import { type FederationServiceConfig, federationWarnings } from './config.js';
import { federationAlgorithms } from './own-statements.js';

/** Builds the service for a process of its own. */
export function build({
  settings,
  logger,
  metrics,
  tracer,
}: BuildContext<FederationServiceConfig>): Application {
  for (const warning of federationWarnings(settings)) logger.warn(warning);
  const { store: opened, dependency } = openServiceStore({
    name: 'federation',
    settings,
    logger,
    metrics,
    tracer,
    agreed: { issuer: settings.BASE_URL },
    federationAlgorithms: federationAlgorithms(settings),
    cleanUpIntervalSeconds: settings.CLEAN_UP_INTERVAL_SECONDS,
    changeRetentionSeconds: settings.CHANGES_RETENTION_SECONDS,
  });
  const store = countingRegistrations(opened, metrics.registry);
  const deps = composeFederation(settings, store, {
    metrics: federationRegistrationMetrics(metrics.registry),
    egress: createServiceEgress({ settings, metrics, tracer }),
    onProblem: (error) => logger.warn({ error }, 'problem with the federation'),
  });
  const server = buildApp(deps, {
    logger,
    metrics,
    tracer,
    trustedProxies: settings.TRUSTED_PROXIES,
    pauses: store.clock,
  });
  return { server, dependencies: [dependency] };
}
