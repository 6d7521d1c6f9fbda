import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { ResourceRoutes } from '@vestibule/http';
import { route } from '@vestibule/http';
import { rawExchange, sampleServer } from '@vestibule/http/testing';
import { runningTime } from '@vestibule/testkit';
import { Registry } from 'prom-client';
import { expect, it, vi } from 'vitest';
import { createManagementServer } from './management-server.js';
import { httpServer, type OpenServer } from './open-server.js';
import { createReadiness, type Dependency } from './readiness.js';
import { shutDown } from './shutdown.js';

/** Nothing is cut within it on a busy machine, and a connection that is kept alive does not end within it. */
const PATIENT_MS = 60_000;

/** A limit that is waited for. */
const SHORT_MS = 200;

async function listening(
  dependencies: readonly Dependency[],
  resources: Record<string, ResourceRoutes> = {},
) {
  const { server, logger } = sampleServer({
    '/never': { GET: route({ handler: () => new Promise(() => {}) }) },
    ...resources,
  });
  const registry = new Registry();
  const readiness = createReadiness({ dependencies, logger, registry });
  const management = createManagementServer(readiness, registry);
  await management.listen({ host: '127.0.0.1', port: 0 });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    server: server.server,
    parts: {
      servers: [httpServer('sample', server)],
      management: httpServer('management', management),
      readiness,
      dependencies,
      logger,
      drainMs: 0,
      deadlineMs: PATIENT_MS,
    },
  };
}

const GET = 'GET /never HTTP/1.1\r\nHost: a\r\n\r\n';
const FORM_HEAD = 'POST /form HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n';

it('cuts a request that exceeds the shutdown time', async () => {
  const { port, server, parts } = await listening([]);
  const exchange = rawExchange(port, GET).catch(() => undefined);
  await once(server, 'request');
  const time = runningTime();
  expect(await shutDown({ ...parts, deadlineMs: SHORT_MS })).toBe(false);
  expect(time.end()).toBeLessThan(1000);
  await exchange;
});

it('keeps time to close its dependencies in order, even if a request body never ends', async () => {
  const closed: string[] = [];
  let drainedMs: number | undefined;
  const closing = (name: string): Dependency => ({
    name,
    // In the same turn of the event loop: the rest of the time may be over after it on a busy machine.
    close: async () => {
      drainedMs ??= time.end();
      closed.push(`${name} closes`);
      await Promise.resolve();
      closed.push(name);
    },
  });
  const { port, server, parts } = await listening([closing('first'), closing('second')]);
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write(`${FORM_HEAD}Content-Length: 1000\r\n\r\n`);
  const drip = setInterval(() => socket.write('a'), 20);
  await once(server, 'request');
  const time = runningTime();
  expect(await shutDown({ ...parts, deadlineMs: 1_500 })).toBe(false);
  clearInterval(drip);
  expect(drainedMs).toBeLessThan(1_300);
  expect(closed).toEqual(['second closes', 'second', 'first closes', 'first']);
});

it('does not wait for a dependency that never closes', async () => {
  const { parts } = await listening([{ name: 'frozen', close: () => new Promise(() => {}) }]);
  expect(await shutDown({ ...parts, deadlineMs: SHORT_MS })).toBe(false);
});

it('closes a connection that is idle when the port closes', async () => {
  const { port, server, parts } = await listening([]);
  const responded = new Promise((resolve) =>
    server.once('request', (_request, response) => response.once('close', resolve)),
  );
  const exchange = rawExchange(port, 'GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n');
  await responded;
  expect(await shutDown(parts)).toBe(true);
  expect((await exchange).statuses).toEqual([404]);
});

/** Opens a connection whose response began before the shutdown, so that it announced keep-alive. */
async function ending() {
  const body = new PassThrough();
  const streaming = route({ handler: (_request, reply) => reply.send(body) });
  const { port, server, parts } = await listening([], { '/stream': { GET: streaming } });
  const chunks: Buffer[] = [];
  const socket = connect(port, '127.0.0.1');
  const closed = once(socket, 'close').then(() => Buffer.concat(chunks).toString());
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.write(GET.replace('never', 'stream'));
  const [, response] = await once(server, 'request');
  body.write('begun');
  await vi.waitFor(() => expect(response.headersSent).toBe(true), 60_000);
  const ended = shutDown(parts);
  await vi.waitFor(() => expect(server.listening).toBe(false), 60_000);
  return { body, socket, closed, ended, server };
}

it('closes a keep-alive connection', async () => {
  const { body, closed, ended } = await ending();
  body.end();
  expect(await ended).toBe(true);
  expect((await closed).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
});

it('responds to one more request on an open connection instead of refusing it', async () => {
  const { body, socket, closed, ended, server } = await ending();
  socket.write(GET.replace('never', 'nothing'));
  await once(server, 'request');
  body.end();
  expect(await ended).toBe(true);
  expect((await closed).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404']);
});

it('drains all servers before it closes any, and closes them side by side', async () => {
  const { parts } = await listening([]);
  const order: string[] = [];
  const aServer = (name: string): OpenServer => ({
    name,
    beginDrain: () => void order.push(`${name} drains`),
    close: async () => {
      order.push(`${name} closes`);
      await delay(1);
      order.push(`${name} is closed`);
      return true;
    },
  });
  const servers = [aServer('first'), aServer('second')];
  expect(await shutDown({ ...parts, servers })).toBe(true);
  expect(order.slice(0, 4)).toEqual(['first drains', 'second drains', 'first closes', 'second closes']);
  expect(order).toHaveLength(6);
});

it('closes the other servers and the dependencies if a server cannot be closed', async () => {
  const closed: string[] = [];
  const { server, parts } = await listening([
    { name: 'store', close: async () => void closed.push('store') },
  ]);
  const broken: OpenServer = {
    name: 'broken',
    beginDrain: () => undefined,
    close: () => Promise.reject(new Error('broken')),
  };
  expect(await shutDown({ ...parts, servers: [broken, ...parts.servers] })).toBe(false);
  expect([server.listening, closed]).toEqual([false, ['store']]);
});
