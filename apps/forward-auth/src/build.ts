import { serverTls } from '@vestibule/service';
import type { Application, BuildContext } from '@vestibule/service/process';
import { buildApp } from './app.js';
import { composeForwardAuth } from './compose.js';
import type { ForwardAuthConfig } from './config.js';
import { problemLog } from './problem-log.js';
import { registerResourceServerMetrics } from './resource-server-metrics.js';

/** Builds the service for a process of its own. It is ready at once: without introspection it refuses with 503. */
export function build({ settings, logger, metrics, tracer }: BuildContext<ForwardAuthConfig>): Application {
  const logProblem = problemLog(logger, () => performance.now());
  const forwardAuth = composeForwardAuth(settings, {
    onProblem: logProblem,
    onMisconfiguredGateway: (message) => logProblem({ reason: 'gateway', message }),
    onError: (error) => logger.error({ error }, 'a request could not be decided about'),
  });
  registerResourceServerMetrics(metrics.registry, forwardAuth.metrics);
  const tls = serverTls(settings);
  const server = buildApp(forwardAuth.deps, {
    logger,
    metrics,
    tracer,
    trustedProxies: settings.TRUSTED_PROXIES,
    ...(tls && { tls }),
  });
  return { server, dependencies: [{ name: 'introspection', close: async () => forwardAuth.close() }] };
}
