import process from 'node:process';
import { createServiceEgress, openServiceStore, runService } from '@vestibule/service-kit';
import { enrolmentMetrics } from '@vestibule/service-kit/federation';
import { buildApp } from './app.js';
import { composeAuthorization } from './compose.js';
import { loadAuthorizationConfig } from './config.js';

await runService({
  name: 'authorization',
  load: () => loadAuthorizationConfig(process.env),
  build: ({ settings, logger, metrics, tracer }) => {
    const { store, dependency } = openServiceStore({
      name: 'authorization',
      settings,
      logger,
      metrics,
      tracer,
      signingAlgorithms: settings.SIGNING_ALGORITHMS,
      makesEncryptionKeys: true,
      cleanUpIntervalSeconds: settings.CLEAN_UP_INTERVAL_SECONDS,
    });
    const deps = composeAuthorization(settings, store, {
      egress: createServiceEgress({ settings, metrics, tracer }),
      onProblem: (error) => logger.error({ error }, 'the authorisation endpoints failed'),
      metrics: enrolmentMetrics(metrics.registry),
      onRefused: (refusal) => logger.info(refusal, 'an automatic registration was refused'),
    });
    const server = buildApp(deps, { logger, metrics, tracer, trustedProxies: settings.TRUSTED_PROXIES });
    return { server, dependencies: [dependency] };
  },
});
