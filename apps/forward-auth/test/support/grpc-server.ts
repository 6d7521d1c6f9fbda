import { createLogger, createMetrics } from '@vestibule/http/observability';
import { onTestFinished } from 'vitest';
import type { Decision } from '../../src/decision.js';
import { type GrpcServerDeps, openGrpcServer } from '../../src/ext-authz/grpc-server.js';

/** Opens a server for one test, with the given dependencies. */
export async function aGrpcServer(deviation: Partial<GrpcServerDeps> = {}, port = 0) {
  const metrics = createMetrics('forward-auth');
  const deps = {
    decide: async () => ALLOWED,
    onMisconfiguredGateway: () => undefined,
    logger: createLogger({ level: 'silent', service: 'forward-auth' }),
    metrics,
    isServing: () => true,
    ...deviation,
  };
  const { dependency, ...server } = await openGrpcServer(deps, {
    host: '127.0.0.1',
    port,
    setting: 'GRPC_PORT',
  });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= dependency.close();
    return closed;
  };
  onTestFinished(() => close().catch(() => undefined));
  return { ...server, close, scrape: () => metrics.registry.metrics() };
}

/** A decision without headers. */
export const ALLOWED: Decision = { outcome: 'allowed', headers: {}, responseHeaders: {} };
