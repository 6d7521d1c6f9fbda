import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePort } from './free-port.js';
import { portBlocks } from './port-blocks.js';

async function portsOf(give: () => Promise<number>, count: number): Promise<readonly number[]> {
  const ports: number[] = [];
  for (let index = 0; index < count; index += 1) ports.push(await give());
  return ports;
}

it('gives no port twice in a row although none of them is in use yet', async () => {
  const ports = await portsOf(freePort, 100);
  expect(new Set(ports).size).toBe(ports.length);
});

it('gives no port to two parallel callers', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
  expect(new Set(ports).size).toBe(ports.length);
});

it('gives no port that another process has given out, although none of them is in use yet', async () => {
  // Two processes that happen to begin with the same block.
  const [one, other] = [portBlocks(7), portBlocks(7)];
  const ports = [...(await portsOf(one, 30)), ...(await portsOf(other, 30)), ...(await portsOf(one, 30))];
  expect(new Set(ports).size).toBe(ports.length);
});

it('skips a port that is in use', async () => {
  const give = portBlocks(7);
  const port = (await give()) + 1;
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  try {
    expect(await portsOf(give, 2)).not.toContain(port);
  } finally {
    server.close();
  }
});
