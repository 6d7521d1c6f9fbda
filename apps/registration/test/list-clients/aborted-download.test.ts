import { once } from 'node:events';
import { connect } from 'node:net';
import type { Client, ClientRepository } from '@vestibule/clients';
import { expect, it } from 'vitest';
import { buildApp } from '../../src/index.js';
import { buildTestApp, MASTER } from '../support/build-test-app.js';

/** Infinite pages of one client, each of about 100 kB. */
function endlessClients(client: Client): {
  clients: Pick<ClientRepository, 'list'>;
  pagesRead: () => number;
  ended: Promise<void>;
} {
  let read = 0;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const list = async function* () {
    try {
      for (;;) {
        read += 1;
        yield Array<Client>(100).fill(client);
      }
    } finally {
      end();
    }
  };
  return { clients: { list }, pagesRead: () => read, ended };
}

// Otherwise clients that abort downloads could keep the service reading.
it('reads no further than the client consumes, and stops when it disconnects', async () => {
  const { deps, storeClient, stored } = await buildTestApp();
  await storeClient('one', { data: { text: 'x'.repeat(1_000) } });
  const client = await stored('one');
  if (client === undefined) throw new TypeError('not stored');
  const { clients, pagesRead, ended } = endlessClients(client);
  const app = buildApp({ ...deps, clients: { ...deps.clients, ...clients } }, { logger: false });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET /clients HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${MASTER}\r\n\r\n`);
  await once(socket, 'data');
  socket.pause();
  await expect
    .poll(
      async () => {
        const before = pagesRead();
        await new Promise((resolve) => setTimeout(resolve, 100));
        return pagesRead() - before;
      },
      { timeout: 60_000 },
    )
    .toBe(0);
  expect(pagesRead()).toBeLessThan(200);
  socket.destroy();
  await ended;
  await app.close();
});
