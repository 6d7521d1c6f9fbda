import { countingRegistrations, createServiceEgress, openServiceStore } from '@vestibule/service';
import type { Application, BuildContext } from '@vestibule/service/process';
import { buildApp } from './app.js';
import { composeRegistration } from './compose.js';
import type { RegistrationConfig } from './config.js';
import { openRateLimits } from './rate-limits.js';
import { refusedCredentialCounter, refusedRegistrationCounter } from './registration-metrics.js';

/** Builds the service as it runs in a process of its own. */
export function build({ settings, logger, metrics, tracer }: BuildContext<RegistrationConfig>): Application {
  const { store: opened, dependency } = openServiceStore({
    name: 'registration',
    settings,
    logger,
    metrics,
    tracer,
    agreed: { issuer: settings.BASE_URL },
    cleanUpIntervalSeconds: settings.CLEAN_UP_INTERVAL_SECONDS,
    changeRetentionSeconds: settings.CHANGES_RETENTION_SECONDS,
  });
  const store = countingRegistrations(opened, metrics.registry);
  const rateLimits = openRateLimits({ config: settings, logger, metrics, tracer });
  const countRefused = refusedCredentialCounter(metrics.registry);
  const deps = composeRegistration(settings, store, {
    rateLimits: rateLimits.store,
    egress: createServiceEgress({ settings, metrics, tracer }),
    onRefusedRegistration: refusedRegistrationCounter(metrics.registry),
    onRefusedCredential: (refused) => {
      countRefused(refused.reason);
      logger.info(refused, 'client credential not valid');
    },
  });
  const server = buildApp(deps, {
    logger,
    metrics,
    tracer,
    trustedProxies: settings.TRUSTED_PROXIES,
    pauses: store.clock,
  });
  return { server, dependencies: [dependency, ...rateLimits.dependencies] };
}
