import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout, setImmediate as turn } from 'node:timers/promises';
import { DomainError } from '@vestibule/protocol';
import Type from 'typebox';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { formBody } from '../bodies/form-body.js';
import { createLogger } from '../observability/logger.js';
import { createMetrics } from '../observability/metrics.js';
import { createServer, type ServerOptions } from '../server/server.js';
import { beginDrain } from '../server/server-context.js';
import { rawExchange, sampleErrors } from '../testing/index.js';
import type { CrossOriginOptions } from './cross-origin.js';
import type { FastPath } from './fast-path.js';
import { route } from './route.js';
import { defineRouteGroup } from './route-group.js';

const BODY = 'token=x';

/** A request after which the server closes the connection. */
function post(body = BODY, url = '/form'): string {
  const type = 'application/x-www-form-urlencoded';
  return `POST ${url} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

interface Deviation {
  readonly respond?: FastPath['respond'];
  readonly options?: Partial<ServerOptions>;
  readonly crossOrigin?: CrossOriginOptions;
}

/** A promise that is resolved by hand. */
function gate() {
  let resolve: (body: string) => void = () => undefined;
  const promise = new Promise<string>((resolved) => {
    resolve = resolved;
  });
  return { promise, resolve: (body: string) => resolve(body) };
}

/** A listening server whose fast paths respond with `fast`, and whose routes echo the form. */
async function serve({ respond = () => 'fast', options = {}, crossOrigin }: Deviation = {}) {
  const server = createServer({ logger: false, ...options });
  const form = formBody();
  const echo = () =>
    route({
      schema: { body: Type.Object({ token: Type.String() }) },
      handler: (request, reply) => reply.type('text/plain').send(`routed ${request.body.token}`),
      fastPath: { form, headers: { 'content-type': 'text/plain' }, respond },
    });
  server.register(
    defineRouteGroup({
      name: 'form',
      body: form,
      errors: sampleErrors,
      successLevel: 'debug',
      ...(crossOrigin && { crossOrigin }),
      routes: (resource) => {
        for (const url of ['/form', '/second']) resource(url, { POST: echo() });
      },
    }),
  );
  onTestFinished(() => server.close());
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const responseTo = async (request: string) => (await rawExchange(port, request)).text.split('\r\n\r\n')[1];
  return { server, port, responseTo };
}

function loggerOf(level: 'info' | 'debug') {
  return createLogger({ level, service: 'test', destination: { write: () => undefined } });
}

describe('a fast path', () => {
  it('responds in front of each of several routes, and counts like them', async () => {
    const metrics = createMetrics('test');
    const { responseTo } = await serve({ options: { metrics, logger: loggerOf('info') } });
    for (const url of ['/form', '/second', '/form']) expect(await responseTo(post(BODY, url))).toBe('fast');
    expect(await responseTo(post('token=x', '/form?'))).toBe('routed x');
    const counted = (await metrics.registry.metrics())
      .split('\n')
      .filter((line) => /^http_requests/.test(line));
    expect(counted).toEqual([
      'http_requests_total{route_group="form",operation="POST /form",status="200",service="test"} 3',
      'http_requests_total{route_group="form",operation="POST /second",status="200",service="test"} 1',
    ]);
  });

  it('leaves requests to the route with their bodies', async () => {
    const { responseTo } = await serve({ respond: () => undefined });
    expect(await responseTo(post())).toBe('routed x');
  });

  it('responds as soon as a promise resolves, in the order of the requests', async () => {
    const bodies = [gate(), gate()];
    let asked = 0;
    const respond = (_request: unknown, { token = '' }: Readonly<Record<string, string>>) => {
      asked += 1;
      return bodies[Number(token)]?.promise;
    };
    const { port } = await serve({ respond });
    const exchange = rawExchange(
      port,
      post('token=0').replace('Connection: close\r\n', '') + post('token=1'),
    );
    await vi.waitUntil(() => asked === 2, { timeout: 60_000, interval: 1 });
    bodies[1]?.resolve('second');
    await turn();
    bodies[0]?.resolve('first');
    expect((await exchange).text.match(/first|second|routed/g)).toEqual(['first', 'second']);
  });

  it('lets the route present a failure once, and counts it from the arrival of the request', async () => {
    const failure = new DomainError('invalid_request', 'failed');
    const WAIT_MS = 200;
    const failing = [
      () => {
        throw failure;
      },
      async () => {
        await setTimeout(WAIT_MS);
        throw failure;
      },
    ];
    for (const [index, respond] of failing.entries()) {
      const metrics = createMetrics('test');
      const { responseTo } = await serve({ respond, options: { metrics } });
      expect(await responseTo(post())).toContain('failed');
      const text = await metrics.registry.metrics();
      expect(text).toContain('operation="POST /form",status="400",service="test"} 1\n');
      const seconds = Number(/^http_request_duration_seconds_sum\{.*\} (\S+)$/m.exec(text)?.[1]);
      expect(seconds * 1000).toBeGreaterThanOrEqual((index * WAIT_MS) / 2);
    }
  });

  it('ends the connection with a response that it gets while the server drains', async () => {
    const body = gate();
    const { server, port } = await serve({ respond: () => body.promise });
    const exchange = rawExchange(port, post().replace('Connection: close\r\n', ''));
    await once(server.server, 'request');
    beginDrain(server);
    body.resolve('x');
    const { text } = await exchange;
    expect(text).toContain('connection: close\r\n');
    expect(text).toMatch(/\r\n\r\nx$/);
  });

  it('ends the connection with a response that it gets while the server closes, which waits for it', async () => {
    const body = gate();
    const { server, port } = await serve({ respond: () => body.promise });
    const exchange = rawExchange(port, post().replace('Connection: close\r\n', ''));
    await once(server.server, 'request');
    await turn();
    const closed = server.close();
    await turn();
    body.resolve('x');
    const { text } = await exchange;
    expect(text).toMatch(/^connection: close\r$/im);
    expect(text).toMatch(/\r\n\r\nx$/);
    await closed;
  });

  it('counts a response and a failure whose client has left', async () => {
    for (const status of [200, 400]) {
      const left = gate();
      const respond = async () => {
        await left.promise;
        if (status === 400) throw new DomainError('invalid_request', 'failed');
        return 'fast';
      };
      const metrics = createMetrics('test');
      const { server, port } = await serve({ respond, options: { metrics } });
      const socket = connect(port, '127.0.0.1');
      const [theirs] = await once(server.server, 'connection');
      socket.write(post());
      await once(server.server, 'request');
      socket.destroy();
      await once(theirs, 'close');
      left.resolve('');
      const counted = `operation="POST /form",status="${status}",service="test"} 1\n`;
      await expect.poll(() => metrics.registry.metrics()).toContain(counted);
    }
  });

  it('is not used while requests are logged or traced, or shared with other origins', async () => {
    const tracer = {
      begin: () => undefined,
      traceparent: () => undefined,
      span: () => Promise.reject(new Error('not used')),
    };
    const crossOrigin = { origins: ['*'], requestHeaders: [], exposedHeaders: [] };
    for (const deviation of [
      { options: { logger: loggerOf('debug') } },
      { options: { tracer } },
      { crossOrigin },
    ])
      expect(await (await serve(deviation)).responseTo(post())).toBe('routed x');
  });

  it('is not used while the server drains', async () => {
    const { server, port } = await serve();
    beginDrain(server);
    const { text } = await rawExchange(port, post().replace('Connection: close\r\n', ''));
    expect(text).toContain('connection: close\r\n');
  });

  it('is not used while the server closes, so that its connections end', async () => {
    const { server, port } = await serve();
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    const [theirs] = await once(server.server, 'connection');
    const request = post().replace('Connection: close\r\n', '');
    socket.write(request.slice(0, 9));
    while (theirs.bytesRead < 9) await turn();
    const closed = server.close();
    socket.write(request.slice(9));
    const [text] = await once(socket, 'data');
    expect(text).toMatch(/^connection: close\r$/im);
    expect(text).toMatch(/routed x$/);
    await closed;
  });
});
