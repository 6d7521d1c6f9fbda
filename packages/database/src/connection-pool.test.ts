import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { connectionPool } from './connection-pool.js';

/** The address of a server that accepts connections and sends nothing. */
async function silentServer(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `postgresql://user@127.0.0.1:${(server.address() as AddressInfo).port}/db`;
}

it('accepts the path of a Unix socket', () => {
  const pool = connectionPool({ url: 'postgresql://user:secret@/db?host=/var/run/postgresql' });
  expect(pool.options.connectionTimeoutMillis).toBe(1_000);
});

it('times out on a server that does not respond, after the connect_timeout of the database URL if it has one', async () => {
  const url = await silentServer();
  const order: string[] = [];
  const connect = (name: string, address: string) =>
    expect(connectionPool({ url: address }).connect())
      .rejects.toThrow('connection timeout')
      .then(() => order.push(name));
  await Promise.all([
    connect('three seconds', `${url}?connect_timeout=3`),
    connect('by itself', url),
    connect('out of bounds', `${url}?connect_timeout=0`),
  ]);
  expect(order.at(-1)).toBe('three seconds');
});
