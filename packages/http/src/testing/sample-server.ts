import Type from 'typebox';
import type { BodyFormat } from '../bodies/body-format.js';
import { formBody } from '../bodies/form-body.js';
import { jsonBody } from '../bodies/json-body.js';
import { textBody } from '../bodies/text-body.js';
import { createMetrics, type Metrics } from '../observability/metrics.js';
import type { ResourceRoutes } from '../routes/resource.js';
import { route } from '../routes/route.js';
import { defineRouteGroup } from '../routes/route-group.js';
import type { Server } from '../server/fastify-types.js';
import { createServer, type ServerOptions } from '../server/server.js';
import { type MemoryLog, memoryLog } from './memory-log.js';
import { sampleErrors } from './sample-errors.js';

/** A server with one route group per body format, and the bodies that it received. */
export interface SampleServer extends MemoryLog {
  readonly server: Server;
  readonly metrics: Metrics;
  /** Bodies that reached a handler. */
  readonly seen: unknown[];
}

/** Media types of the route groups by resource. */
export const SAMPLE_MEDIA_TYPES = {
  '/json': 'application/json',
  '/form': 'application/x-www-form-urlencoded',
  '/jose': 'application/jose',
  '/text': 'text/plain',
} as const;

/**
 * Creates a server with the resources `/json`, `/form`, `/jose` and `/text` (POST), and further ones in the JSON route
 * group.
 */
export function sampleServer(
  resources: Readonly<Record<string, ResourceRoutes>> = {},
  options: Partial<ServerOptions> = {},
): SampleServer {
  const log = memoryLog();
  const metrics = createMetrics('sample');
  const seen: unknown[] = [];
  const server = createServer({ logger: log.logger, metrics, ...options });
  const echo = (body: Type.TSchema) =>
    route({
      schema: { body },
      handler: (request, reply) => {
        seen.push(request.body);
        reply.send(request.body);
      },
    });
  const add = (name: string, body: BodyFormat, routes: Readonly<Record<string, ResourceRoutes>>) => {
    server.register(
      defineRouteGroup({
        name,
        body,
        errors: sampleErrors,
        routes: (resource) => {
          for (const [url, operations] of Object.entries(routes)) resource(url, operations);
        },
      }),
    );
  };
  const object = Type.Object({});
  const closed = Type.Object({ a: Type.Optional(Type.String()) }, { additionalProperties: false });
  add('json', jsonBody(), { '/json': { POST: echo(object) }, ...resources });
  add('closed', jsonBody(), { '/closed': { POST: echo(closed) } });
  add('form', formBody(), { '/form': { POST: echo(Type.Object({ token: Type.String({ minLength: 1 }) })) } });
  add('jose', textBody({ mediaTypes: ['application/jose'] }), { '/jose': { POST: echo(Type.String()) } });
  add('text', textBody({ mediaTypes: ['text/plain'] }), { '/text': { POST: echo(Type.String()) } });
  return { ...log, server, metrics, seen };
}
