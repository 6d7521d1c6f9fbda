import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { route } from '@vestibule/http';
import { sampleServer } from '@vestibule/http/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import { httpServer } from './open-server.js';

/** More than the buffers of a connection hold. */
const LARGE_BYTES = 30_000_000;
const EVENTUALLY_MS = 60_000;

/** A server that has ended a large response of which its client has read nothing. */
async function anUnreadResponse() {
  const { server } = sampleServer({
    '/large': { GET: route({ handler: (_request, reply) => reply.send(Buffer.alloc(LARGE_BYTES, 'a')) }) },
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1').pause();
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
  const [, response] = await once(server.server, 'request');
  await vi.waitUntil(() => response.writableEnded, EVENTUALLY_MS);
  return { open: httpServer('sample', server), socket };
}

it('sends the rest of a response that its client reads slowly before it closes the connection', async () => {
  const { open, socket } = await anUnreadResponse();
  const closed = open.close(EVENTUALLY_MS);
  // Several checks for idle connections.
  await new Promise((resolve) => setTimeout(resolve, 300));
  let bytes = 0;
  socket.on('data', (chunk) => {
    bytes += chunk.length;
  });
  socket.resume();
  await once(socket, 'close');
  expect(bytes).toBeGreaterThan(LARGE_BYTES);
  expect(await closed).toBe(true);
});

it('cuts a response off at the limit, and says so', async () => {
  const { open, socket } = await anUnreadResponse();
  expect(await open.close(100)).toBe(false);
  socket.resume();
  await once(socket, 'close');
});
