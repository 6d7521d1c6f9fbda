import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePort } from './free-port.js';

it('gives no port twice in a row although none of them is in use yet', async () => {
  const ports: number[] = [];
  for (let count = 0; count < 300; count += 1) ports.push(await freePort());
  expect(new Set(ports).size).toBe(ports.length);
});

it('skips a port that is in use', async () => {
  const port = (await freePort()) + 1;
  const server = createServer();
  // If listening fails, another process has the port, which serves as well.
  await new Promise<unknown>((resolve) => {
    server.once('error', resolve);
    server.listen(port, '127.0.0.1', () => resolve(undefined));
  });
  try {
    expect([await freePort(), await freePort()]).not.toContain(port);
  } finally {
    server.close();
  }
});
