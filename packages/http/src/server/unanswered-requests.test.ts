import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { route } from '../routes/route.js';
import { TEST_CERTIFICATE } from '../testing/client-certificate.js';
import { sampleServer } from '../testing/index.js';
import type { Server } from './fastify-types.js';
import { createServer } from './server.js';

const MOST = 64;
const THOUSANDS = 5_000;
const HOST = 'Host: a\r\n\r\n';
const HELD = `GET /held HTTP/1.1\r\n${HOST}`;
const GONE = `GET /gone HTTP/1.1\r\n${HOST}`;

async function listening(server: Server): Promise<number> {
  await server.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.close());
  return (server.server.address() as AddressInfo).port;
}

/** Starts a server whose requests for `/held` wait until released. The response is the number of the request. */
async function holding() {
  let letGo: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let begun = 0;
  const held = route({
    handler: async (_request, reply) => {
      begun += 1;
      const number = begun;
      await gate;
      return reply.send({ number });
    },
  });
  const { server, metrics } = sampleServer({ '/held': { GET: held } });
  const port = await listening(server);
  return { server, metrics, port, begun: () => begun, letGo };
}

/** Opens a connection that never reads, and reports when the server closes it. */
async function unreading(server: Server, port: number) {
  const accepted = once(server.server, 'connection');
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  const [theirs] = await accepted;
  return { socket, isCut: closed(theirs) };
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

/** Reads from a connection. */
function reading(port: number) {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
  });
  const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  return { socket, text: () => text, statuses };
}

it('responds in order to 64 requests that a connection sends at once', async () => {
  const { port, begun, letGo } = await holding();
  const { socket, text } = reading(port);
  socket.write(HELD.repeat(MOST));
  await vi.waitFor(() => expect(begun()).toBe(MOST), 60_000);
  letGo();
  const numbers = () => [...text().matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number));
  const expected = Array.from({ length: MOST }, (_, index) => index + 1);
  await vi.waitFor(() => expect(numbers()).toEqual(expected), 60_000);
});

it('closes a connection that sends thousands of requests and reads nothing, handles at most 64, and serves others', async () => {
  const { server, metrics, port, begun, letGo } = await holding();
  const { socket, isCut } = await unreading(server, port);
  socket.write(HELD.repeat(THOUSANDS));
  await isCut;
  expect(begun()).toBe(MOST);
  const other = reading(port);
  other.socket.write(HELD);
  await vi.waitFor(() => expect(begun()).toBe(MOST + 1), 60_000);
  letGo();
  await vi.waitFor(() => expect(other.statuses()).toEqual([200]), 60_000);
  expect(await metrics.registry.metrics()).toContain('http_connections_cut_total{service="sample"} 1\n');
});

it('serves 10,000 requests of one connection that waits for the responses', async () => {
  const { port } = await holding();
  const { socket, statuses } = reading(port);
  for (let requested = 50; requested <= 10_000; requested += 50) {
    socket.write(GONE.repeat(50));
    while (statuses().length < requested) await once(socket, 'data');
  }
  expect(new Set(statuses())).toEqual(new Set([404]));
});

describe('an unanswered request', () => {
  const kinds = {
    'what does not exist': GONE,
    'a method that the resource does not have': `DELETE /held HTTP/1.1\r\n${HOST}`,
    'a head without its response': `HEAD /held HTTP/1.1\r\n${HOST}`,
    'a target that cannot be decoded': `GET /%zz HTTP/1.1\r\n${HOST}`,
    'a target that is no path': `OPTIONS * HTTP/1.1\r\n${HOST}`,
    'a repeated header': `GET /held HTTP/1.1\r\nHost: a\r\n${HOST}`,
    'no host': 'GET /held HTTP/1.1\r\n\r\n',
    'what it expects': `GET /held HTTP/1.1\r\nExpect: more\r\n${HOST}`,
    'its body': `POST /form HTTP/1.1\r\nContent-Length: 0\r\n${HOST}`,
  };

  it.each(Object.entries(kinds))('counts even if it is refused because of %s', async (_what, request) => {
    const { server, port, begun } = await holding();
    const { socket, isCut } = await unreading(server, port);
    socket.write(HELD);
    await vi.waitFor(() => expect(begun()).toBe(1), 60_000);
    socket.write(request.repeat(MOST));
    await isCut;
  });

  it('counts over TLS', async () => {
    const tls = { certificate: TEST_CERTIFICATE.cert, key: TEST_CERTIFICATE.key };
    const server = createServer({ logger: false, tls });
    const port = await listening(server);
    const accepted = once(server.server, 'secureConnection');
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    const [theirs] = await accepted;
    socket.write(GONE.repeat(MOST + 1));
    await closed(theirs);
  });
});
