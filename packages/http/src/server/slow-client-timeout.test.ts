import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { route } from '../routes/route.js';
import { sampleServer } from '../testing/index.js';
import { closeSlowClient } from './slow-client-timeout.js';

it('closes the connection of a streamed response that the client does not read, and releases its source', async () => {
  const source = Readable.from(endlessly());
  const { server } = sampleServer({
    '/endless': {
      GET: route({
        handler: (_request, reply) => {
          closeSlowClient(reply, 50);
          return reply.send(source);
        },
      }),
    },
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  try {
    const { port } = new URL(server.listeningOrigin);
    const socket = connect(Number(port), '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write('GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(source, 'close');
    expect(source.destroyed).toBe(true);
    socket.destroy();
  } finally {
    await server.close();
  }
});

function* endlessly(): Generator<Buffer> {
  const chunk = Buffer.alloc(65_536, ' ');
  for (;;) yield chunk;
}
