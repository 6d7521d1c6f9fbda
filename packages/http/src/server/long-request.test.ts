import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Type } from 'typebox';
import { expect, it, onTestFinished, vi } from 'vitest';
import { eitherBody, jsonBody, readLines, streamedBody } from '../bodies/index.js';
import { route } from '../routes/route.js';
import { sampleServer } from '../testing/index.js';
import { allowLongRequest } from './long-request.js';

const HEAD = 'Host: a\r\nTransfer-Encoding: chunked\r\nContent-Type: application/x-ndjson';
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** A server whose time limit for receiving a request is short, and the lines that its handler has read. */
async function aServer({ isAllowed = true } = {}) {
  const read: number[] = [];
  const { server } = sampleServer({
    '/lines': {
      POST: route({
        schema: { body: Type.Unknown() },
        body: eitherBody(jsonBody(), streamedBody(['application/x-ndjson'])),
        handler: async (request, reply) => {
          if (isAllowed) allowLongRequest(request, reply);
          for await (const lines of readLines(request.raw, 100))
            read.push(...lines.map(({ number }) => number));
          return reply.send({ lines: read.length });
        },
      }),
    },
  });
  Object.assign(server.server, { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 50 });
  await server.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  /** Resolves when Node reports that a request takes too long. */
  const timeout = () => once(server.server, 'clientError');
  return { port: Number(new URL(server.listeningOrigin).port), read, timeout };
}

function open(port: number): { socket: Socket; received: () => string } {
  let text = '';
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.on('data', (data) => {
    text += data.toString();
  });
  onTestFinished(() => void socket.destroy());
  return { socket, received: () => text };
}

it('reads a body for longer than the time limit for a request, and the next request on the connection is limited again', async () => {
  const { port, read, timeout } = await aServer();
  const { socket, received } = open(port);
  socket.write(`POST /lines HTTP/1.1\r\n${HEAD}\r\n\r\n${chunk('a\n')}`);
  const [error] = await timeout();
  expect([error.code, received(), read]).toEqual(['ERR_HTTP_REQUEST_TIMEOUT', '', [1]]);
  socket.write(`${chunk('b\n')}0\r\n\r\n`);
  await vi.waitFor(() => expect(received()).toContain('{"lines":2}'), 60_000);
  socket.write(`POST /json HTTP/1.1\r\n${HEAD.replace('x-ndjson', 'json')}\r\n\r\n${chunk('{')}`);
  await once(socket, 'close');
  expect(received()).toContain('HTTP/1.1 408');
});

it('is limited unless the handler allows it', async () => {
  const { port } = await aServer({ isAllowed: false });
  const { socket, received } = open(port);
  socket.write(`POST /lines HTTP/1.1\r\n${HEAD}\r\n\r\n${chunk('a\n')}`);
  await once(socket, 'close');
  expect(received()).toContain('HTTP/1.1 408');
});
