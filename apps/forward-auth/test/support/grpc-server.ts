import { createLogger, createMetrics } from '@vestibule/http/observability';
import { onTestFinished } from 'vitest';
import type { Decision } from '../../src/decision.js';
import { type GrpcServerDeps, openGrpcServer } from '../../src/ext-authz/grpc-server.js';

/** The usual time limit of the checks that run when a server closes. */
const CLOSE_LIMIT_MS = 20_000;

/** Opens a server for one test, with the given dependencies. */
export async function aGrpcServer(deviation: Partial<GrpcServerDeps> = {}, port = 0) {
  const metrics = createMetrics('forward-auth');
  const deps = {
    decide: async () => ALLOWED,
    onMisconfiguredGateway: () => undefined,
    logger: createLogger({ level: 'silent', service: 'forward-auth' }),
    metrics,
    ...deviation,
  };
  const server = await openGrpcServer(deps, {
    host: '127.0.0.1',
    port,
    setting: 'GRPC_PORT',
  });
  let closed: Promise<boolean> | undefined;
  const close = (limitMs = CLOSE_LIMIT_MS) => {
    closed ??= server.close(limitMs);
    return closed;
  };
  onTestFinished(async () => void (await close()));
  return { ...server, close, scrape: () => metrics.registry.metrics() };
}

/** A decision without headers. */
export const ALLOWED: Decision = { outcome: 'allowed', headers: {}, responseHeaders: {} };
