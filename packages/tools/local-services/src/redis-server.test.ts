import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { LocalServiceError } from './local-service-error.js';
import { sendRedisCommand } from './redis-connection.js';
import { installRedisServer } from './redis-installation.js';
import { findRedisServer, startRedis } from './redis-server.js';

it('finds a server program after it was installed if needed', async () => {
  await installRedisServer();
  expect(await findRedisServer()).toMatch(/^\/.*(redis|valkey)-server$/);
});

it('serves on the loopback address with a password of this run, and stops', async () => {
  const server = await startRedis();
  expect(new URL(server.url).hostname).toBe('127.0.0.1');
  expect(await sendRedisCommand(server.url, 'PING')).toBe('+PONG');
  const guessed = Object.assign(new URL(server.url), { password: 'guess' });
  expect(await sendRedisCommand(guessed.href, 'PING')).toBeUndefined();
  await server.stop();
  await server.stop();
  expect(await sendRedisCommand(server.url, 'PING')).toBeUndefined();
});

it('reports in one sentence that the port is in use', async () => {
  const taken = createServer((socket) => socket.destroy());
  const port = await new Promise<number>((resolve) => {
    taken.listen(0, '127.0.0.1', () => {
      const address = taken.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  await expect(startRedis({ port })).rejects.toThrow(
    new LocalServiceError(`Redis did not start on port ${port} of 127.0.0.1: the port may be in use.`),
  );
  taken.close();
});
