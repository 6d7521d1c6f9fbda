import { createServer, defineRouteGroup, JSON_CONTENT_TYPE, route, type Server } from '@vestibule/http';
import { textBody } from '@vestibule/http/bodies';
import { type ErrorTable, emptyError } from '@vestibule/http/errors';
import type { Registry } from 'prom-client';
import type { Readiness } from './readiness.js';

const ERRORS: ErrorTable = {
  invalid_request: emptyError(400),
  not_found: emptyError(404),
  method_not_allowed: emptyError(405),
};

/**
 * Creates the management server, separate from the public one: `/health/live` (200 while the process runs),
 * `/health/ready` (200 or 503, with the state of each dependency and the problems to fix) and `/metrics` (Prometheus
 * text format).
 */
export function createManagementServer(readiness: Readiness, registry: Registry): Server {
  const server = createServer({ logger: false });
  const live = route({ handler: (_request, reply) => reply.send('ok') });
  const ready = route({
    handler: async (_request, reply) => {
      const { isReady, dependencies, problems } = await readiness.report();
      const status = isReady ? 'ready' : 'not ready';
      const body = { status, dependencies, ...(problems.length > 0 && { problems }) };
      return reply
        .code(isReady ? 200 : 503)
        .header('content-type', JSON_CONTENT_TYPE)
        .send(body);
    },
  });
  const metrics = route({
    handler: async (_request, reply) =>
      reply.header('content-type', registry.contentType).send(await registry.metrics()),
  });
  server.register(
    defineRouteGroup({
      name: 'management',
      body: textBody({ mediaTypes: ['text/plain'] }),
      errors: ERRORS,
      routes: (resource) => {
        resource('/health/live', { GET: live });
        resource('/health/ready', { GET: ready });
        resource('/metrics', { GET: metrics });
      },
    }),
  );
  return server;
}
