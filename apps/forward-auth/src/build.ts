import type { Application, BuildContext } from '@vestibule/service/process';
import { serverTls } from '@vestibule/service/tls';
import { buildApp } from './app.js';
import { composeForwardAuth } from './compose.js';
import type { ForwardAuthConfig } from './config.js';
import { problemLog } from './problem-log.js';
import { registerResourceServerMetrics } from './resource-server-metrics.js';

/** Builds the service for a process of its own. It is ready at once: without introspection it refuses with 503. */
export async function build({
  settings,
  logger,
  metrics,
  tracer,
  own,
  ownServer,
}: BuildContext<ForwardAuthConfig>): Promise<Application> {
  const logProblem = problemLog(logger, () => performance.now());
  const forwardAuth = composeForwardAuth(settings, {
    onProblem: logProblem,
    onMisconfiguredGateway: (message) => logProblem({ reason: 'gateway', message }),
    onError: (error) => logger.error({ error }, 'a request could not be decided about'),
  });
  own({ name: 'introspection', close: async () => forwardAuth.close() });
  registerResourceServerMetrics(metrics.registry, forwardAuth.metrics);
  const tls = serverTls(settings);
  const server = buildApp(forwardAuth.deps, {
    logger,
    metrics,
    tracer,
    trustedProxies: settings.TRUSTED_PROXIES,
    ...(tls && { tls }),
  });
  const { HOST: host, GRPC_PORT: port } = settings;
  if (port !== undefined) {
    // Without the port, its libraries are not loaded.
    const { openGrpcServer } = await import('./ext-authz/grpc-server.js');
    const deps = { ...forwardAuth.deps, logger, metrics, ...(tls && { tls }) };
    const grpc = await openGrpcServer(deps, { host, port, setting: 'GRPC_PORT' });
    ownServer(grpc);
    logger.info({ host, port: grpc.port }, 'listening for gRPC');
  }
  return { server, dependencies: [] };
}
