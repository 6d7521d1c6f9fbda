import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { textBody } from '../bodies/text-body.js';
import { createLogger } from '../observability/logger.js';
import { createMetrics } from '../observability/metrics.js';
import { createServer, type ServerOptions } from '../server/server.js';
import { beginDrain } from '../server/server-context.js';
import { rawExchange, sampleErrors } from '../testing/index.js';
import type { HeadFastPath } from './head-fast-path.js';
import { route } from './route.js';
import { defineRouteGroup } from './route-group.js';

/** A request after which the server closes the connection. */
const get = (more = '', target = 'GET /check') =>
  `${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${more}\r\n`;

/** A listening server whose fast path says `X-By: front`, and whose route says `x-by: route`. */
async function serve(
  respond: HeadFastPath['respond'] = () => ['X-By', 'front'],
  options: Partial<ServerOptions> = {},
) {
  const server = createServer({ logger: false, ...options });
  const checked = route({
    handler: (_request, reply) => reply.header('x-by', 'route').send(),
    headFastPath: { respond },
  });
  server.register(
    defineRouteGroup({
      name: 'check',
      body: textBody({ mediaTypes: ['text/plain'] }),
      errors: sampleErrors,
      successLevel: 'debug',
      routes: (resource) => resource('/check', { GET: checked }),
    }),
  );
  onTestFinished(() => server.close());
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const exchange = async (request: string) => (await rawExchange(port, request)).text;
  const servedBy = async (request: string) => /^x-by: (\w+)\r$/im.exec(await exchange(request))?.[1];
  return { server, exchange, servedBy };
}

function fail(): never {
  throw new Error('failed');
}

function loggerOf(level: 'info' | 'debug') {
  return createLogger({ level, service: 'test', destination: { write: () => undefined } });
}

/** The head of a response without what varies, and with names in lower case. */
function headOf(response: string): readonly string[] {
  return response
    .split('\r\n')
    .map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()))
    .filter((line) => !/^(?:date|x-by):/.test(line))
    .toSorted();
}

describe('a fast path for requests without a body', () => {
  it('responds as the route does, at once and later, and counts like it', async () => {
    const ways = [() => ['X-By', 'front'], async () => ['X-By', 'front'], () => undefined];
    const served = await Promise.all(
      ways.map(async (respond) => {
        const metrics = createMetrics('test');
        const { exchange } = await serve(respond, { metrics, logger: loggerOf('info') });
        const response = await exchange(get());
        const counted = (await metrics.registry.metrics())
          .split('\n')
          .filter((line) => line.startsWith('http_requests_total{'));
        return { by: /x-by: (\w+)/i.exec(response)?.[1], head: headOf(response), counted };
      }),
    );
    expect(served.map(({ by }) => by)).toEqual(['front', 'front', 'route']);
    for (const { head, counted } of served) {
      expect(head).toEqual(served[2]?.head);
      expect(counted).toEqual([
        'http_requests_total{route_group="check",operation="GET /check",status="200",service="test"} 1',
      ]);
    }
  });

  it.each([
    ['at once', () => fail()],
    ['later', async () => fail()],
  ])('leaves a request to the route if it fails %s', async (_when, respond) => {
    const { servedBy } = await serve(respond);
    expect(await servedBy(get())).toBe('route');
  });

  it.each([
    ['a body', 'Content-Type: text/plain\r\nContent-Length: 2\r\n\r\nxy'],
    ['a body in chunks', 'content-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n0\r\n'],
  ])('leaves a request with %s to the route', async (_what, more) => {
    const { servedBy } = await serve();
    expect(await servedBy(get(more))).toBe('route');
  });

  it('leaves other requests alone', async () => {
    const { exchange, servedBy } = await serve();
    expect(await servedBy(get('', 'GET /check?x'))).toBe('route');
    expect(await exchange(get('', 'POST /check'))).toMatch(/^HTTP\/1.1 405 /);
    expect(await exchange(get('', 'GET /other'))).toMatch(/^HTTP\/1.1 404 /);
    expect(await exchange(get('Authorization: a\r\nAuthorization: b\r\n'))).toMatch(/^HTTP\/1.1 400 /);
  });

  it('is not used while requests are logged or traced, or the server drains', async () => {
    const tracer = {
      begin: () => undefined,
      traceparent: () => undefined,
      span: () => Promise.reject(new Error('not used')),
    };
    for (const options of [{ logger: loggerOf('debug') }, { tracer }])
      expect(await (await serve(undefined, options)).servedBy(get())).toBe('route');
    const { server, servedBy } = await serve();
    beginDrain(server);
    expect(await servedBy(get())).toBe('route');
  });

  it('closes the connection after a response that was on its way when the server began to drain', async () => {
    let resolve = (_fields: readonly string[]): void => undefined;
    const fields = new Promise<readonly string[]>((then) => {
      resolve = then;
    });
    const { server, exchange } = await serve(() => fields);
    const response = exchange(get().replace('Connection: close\r\n', ''));
    await new Promise((then) => server.server.once('request', then));
    beginDrain(server);
    resolve(['X-By', 'front']);
    expect(await response).toMatch(/^connection: close\r$/im);
  });
});
