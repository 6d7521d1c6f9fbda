import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type ChaosProxy, chaosProxy } from './chaos-proxy.js';

async function anEcho(prefix = ''): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => socket.write(`${prefix}${chunk}`));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A client that records what it receives; `undefined` once the connection is closed. */
async function aClient({ port }: Pick<ChaosProxy, 'port'>) {
  const socket: Socket = connect(port, '127.0.0.1');
  let received: string | undefined = '';
  socket.on('error', () => undefined);
  socket.on('close', () => {
    received = undefined;
  });
  socket.on('data', (chunk) => {
    received += chunk.toString();
  });
  await once(socket, 'connect');
  onTestFinished(() => void socket.destroy());
  return { say: (text: string) => socket.write(text), received: () => received };
}

async function aProxy() {
  const proxy = await chaosProxy(await anEcho());
  onTestFinished(() => proxy.close());
  return proxy;
}

it('forwards data, and moves to another server on request', async () => {
  const proxy = await aProxy();
  const client = await aClient(proxy);
  client.say('one');
  await vi.waitFor(() => expect(client.received()).toBe('one'), 60_000);
  proxy.switchTo(await anEcho('other '));
  await vi.waitFor(() => expect(client.received()).toBeUndefined(), 60_000);
  const later = await aClient(proxy);
  later.say('two');
  await vi.waitFor(() => expect(later.received()).toBe('other two'), 60_000);
});

it('holds the data of one side until it is released, and keeps its order', async () => {
  const proxy = await aProxy();
  const client = await aClient(proxy);
  proxy.set({ kind: 'hold', from: 'server' });
  client.say('one ');
  client.say('two ');
  proxy.set({ kind: 'delay', ms: 20, jitterMs: 10 });
  client.say('three');
  proxy.pass();
  await vi.waitFor(() => expect(client.received()).toBe('one two three'), 60_000);
});

it('drops data on a half-open connection, and resets that connection when traffic passes again', async () => {
  const proxy = await aProxy();
  const client = await aClient(proxy);
  proxy.set({ kind: 'drop', from: 'server' });
  client.say('one');
  const other = await aClient(proxy);
  other.say('two');
  await vi.waitFor(() => expect([client.received(), other.received()]).toEqual(['', '']), 60_000);
  proxy.pass();
  await vi.waitFor(async () => {
    const fresh = await aClient(proxy);
    fresh.say('three');
    await vi.waitFor(() => expect(fresh.received()).toBe('three'), 1_000);
  }, 60_000);
});

it('affects only the chosen connections, by the first bytes of their client', async () => {
  const proxy = await aProxy();
  proxy.set({ kind: 'hold' }, (opening) => opening.startsWith('stream'));
  const [stream, pool] = [await aClient(proxy), await aClient(proxy)];
  stream.say('stream');
  pool.say('pool');
  await vi.waitFor(() => expect(pool.received()).toBe('pool'), 60_000);
  expect(stream.received()).toBe('');
});

it('sends a connection that one port refuses to the next', async () => {
  const refusing = createServer().listen(0, '127.0.0.1');
  await once(refusing, 'listening');
  const { port } = refusing.address() as AddressInfo;
  await new Promise((resolve) => refusing.close(resolve));
  const proxy = await chaosProxy(port, await anEcho());
  onTestFinished(() => proxy.close());
  for (let index = 0; index < 4; index += 1) {
    const client = await aClient(proxy);
    client.say('one');
    await vi.waitFor(() => expect(client.received()).toBe('one'), 60_000);
  }
});

it('affects only the latest request of a connection that is used again', async () => {
  const proxy = await aProxy();
  const client = await aClient(proxy);
  proxy.set({ kind: 'hold' }, (opening) => opening.startsWith('GET /stream'));
  client.say('GET /stream ');
  client.say('more ');
  const other = await aClient(proxy);
  other.say('POST /other');
  await vi.waitFor(() => expect(other.received()).toBe('POST /other'), 60_000);
  expect(client.received()).toBe('');
  client.say('POST /other');
  await vi.waitFor(() => expect(client.received()).toBe('GET /stream more POST /other'), 60_000);
});

it('collects blocks of a size', async () => {
  const proxy = await aProxy();
  const client = await aClient(proxy);
  proxy.set({ kind: 'buffer', bytes: 10, from: 'server' });
  client.say('one ');
  const other = await aClient(proxy);
  other.say('0123456789');
  await vi.waitFor(() => expect([client.received(), other.received()]).toEqual(['', '0123456789']), 60_000);
  client.say('two ');
  client.say('three');
  await vi.waitFor(() => expect(client.received()).toBe('one two three'), 60_000);
});

it('throttles, cuts after a number of bytes, and refuses', async () => {
  const proxy = await aProxy();
  const client = await aClient(proxy);
  proxy.set({ kind: 'drip', bytesPerSecond: 1_000 });
  client.say('x'.repeat(100));
  await vi.waitFor(() => expect(client.received()).toBe('x'.repeat(100)), 60_000);
  proxy.set({ kind: 'cut', afterBytes: 150 });
  client.say('x'.repeat(100));
  await vi.waitFor(() => expect(client.received()).toBeUndefined(), 60_000);
  proxy.set({ kind: 'refuse' });
  // The connection is refused, or reset right after it was accepted.
  const refused = await aClient(proxy).catch(() => undefined);
  await vi.waitFor(() => expect(refused?.received()).toBeUndefined(), 60_000);
});
