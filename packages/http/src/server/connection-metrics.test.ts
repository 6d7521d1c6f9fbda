import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createMetrics } from '../observability/metrics.js';
import { createServer } from './server.js';

it('adds up the connections of all servers of a process', async () => {
  const metrics = createMetrics('sample');
  const open = async (connections: number) => {
    const server = createServer({ logger: false, metrics });
    onTestFinished(() => server.close());
    await server.listen({ host: '127.0.0.1', port: 0 });
    const { port } = server.server.address() as AddressInfo;
    for (let index = 0; index < connections; index += 1) {
      const accepted = once(server.server, 'connection');
      const socket = connect(port, '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      await accepted;
    }
  };
  await open(1);
  await open(2);
  expect(await metrics.registry.metrics()).toContain('http_connections{service="sample"} 3\n');
});
