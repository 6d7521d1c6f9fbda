import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import type { Server } from '@vestibule/http';
import { nodeScheduler } from '@vestibule/protocol/runtime';
import { cacheTag } from '@vestibule/tokens/cache';
import { expect, it, onTestFinished, vi } from 'vitest';
import { buildApp, type ChangeStreamsOptions, changeStreams } from '../../src/index.js';
import { aCachedInstance, aTimedService } from '../support/cached-instance.js';
import { bearerProof } from '../support/callers.js';
import { changesFrom, changesResponse } from '../support/change-reader.js';
import { basic } from '../support/introspection-call.js';
import { aSimulatedInstance } from '../support/simulated-instance.js';
import { aTestService, SECRET } from '../support/test-service.js';

const statusOf = async (app: Server, headers: Record<string, string>, query = '') =>
  (await changesResponse(app, headers, query)).statusCode;

/** A cached instance with other limits of its streams. */
async function aLimitedInstance(limits: Partial<ChangeStreamsOptions> = {}) {
  const service = await aTimedService();
  const { cache } = await aCachedInstance(service);
  const { tagStream, states, watch } = cache;
  const changes = changeStreams({ tagStream, states, scheduler: nodeScheduler, random: () => 1, ...limits });
  const app = buildApp({ ...service.deps, states, watch, changes }, { logger: false });
  return { app, service, changes };
}

/** Timeout for what must happen, in milliseconds, long enough for a busy machine. */
const EVENTUALLY = 60_000;

/** A change of many clients. */
const MANY = {
  kind: 'entities',
  tags: Array.from({ length: 10_000 }, (_, index) => cacheTag('client', String(index))),
} as const;

/** Requests streams on one connection, and does not read. */
function pausedReader(app: Server, requests = 1) {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  socket.pause();
  const request = `GET /token/changes HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic()}\r\n\r\n`;
  socket.write(request.repeat(requests));
  return socket;
}

it('accepts the callers of the introspection endpoint, and refuses others as that does', async () => {
  const service = await aTimedService();
  const { app } = await aCachedInstance(service);
  await service.register('app', { scope: 'read' });
  const { authorization = '' } = await bearerProof(service, 'rs1');
  const { authorization: lacking = '' } = await bearerProof(service, 'rs1', 'read');
  const requests: readonly [headers: Record<string, string>, status: number][] = [
    [{ authorization: basic() }, 200],
    [{ authorization }, 200],
    [{}, 401],
    [{ authorization: basic('rs1', 'wrong') }, 401],
    [{ authorization: 'Bearer x' }, 401],
    [{ authorization: basic('app') }, 403],
    [{ authorization: lacking }, 403],
  ];
  for (const [headers, status] of requests)
    expect([headers, await statusOf(app, headers)]).toEqual([headers, status]);
});

it('refuses credentials in the query, which proxies log (RFC 6749 section 2.3.1)', async () => {
  const service = await aTimedService();
  const { app } = await aCachedInstance(service);
  await service.register('rs2', { token_endpoint_auth_method: 'client_secret_post' });
  expect(await statusOf(app, {}, `?client_id=rs2&client_secret=${SECRET}`)).toBe(401);
});

it('is not found without the in-process cache', async () => {
  const { app } = await aTestService();
  expect(await statusOf(app, { authorization: basic() })).toBe(404);
});

it('refuses more streams than it serves with 429, and accepts one when another has ended', async () => {
  const { app, changes } = await aLimitedInstance({ maxStreams: 2 });
  const first = await changesResponse(app);
  await changesResponse(app);
  const refused = await changesResponse(app);
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '5']);
  first.destroy();
  await vi.waitUntil(() => changes.count() === 1, EVENTUALLY);
  expect(await statusOf(app, { authorization: basic() })).toBe(200);
});

it('refuses one client more streams than it may have, and serves another', async () => {
  const { app, service, changes } = await aLimitedInstance({ maxStreamsPerClient: 2 });
  await service.register('rs2');
  const first = await changesResponse(app);
  await changesResponse(app);
  expect(await statusOf(app, { authorization: basic() })).toBe(429);
  expect(await statusOf(app, { authorization: basic('rs2') })).toBe(200);
  first.destroy();
  await vi.waitUntil(() => changes.count() === 2, EVENTUALLY);
  expect(await statusOf(app, { authorization: basic() })).toBe(200);
});

it('refuses streams that are pipelined behind another, whose end it would not notice', async () => {
  const { app, changes } = await aLimitedInstance();
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = pausedReader(app, 5).resume();
  await vi.waitUntil(() => changes.count() > 0, EVENTUALLY);
  await statusOf(app, { authorization: basic() });
  expect(changes.count()).toBe(2);
  socket.destroy();
  await vi.waitUntil(() => changes.count() === 1, EVENTUALLY);
});

it('closes a stream that has ended when its reader does not take the rest', async () => {
  const timers: (() => void)[] = [];
  const after = (_ms: number, run: () => void) => {
    timers.push(run);
    return () => undefined;
  };
  const { app, changes, stream, advance } = await aSimulatedInstance(await aTimedService(), {
    scheduler: { after },
  });
  const connected = once(app.server, 'connection');
  pausedReader(app);
  const [connection] = await connected;
  await vi.waitUntil(() => changes.count() === 1, EVENTUALLY);
  while (connection.writableLength === 0) {
    stream.commit(MANY);
    advance();
    await new Promise(setImmediate);
  }
  const [endAfterItsLifetime = expect.fail('it has no lifetime')] = timers.splice(0);
  endAfterItsLifetime();
  const [close = expect.fail('it is never closed')] = timers;
  expect(changes.count()).toBe(1);
  close();
  await vi.waitUntil(() => changes.count() === 0, EVENTUALLY);
});

it('ends all streams when the service stops', async () => {
  const { app, changes } = await aLimitedInstance();
  const response = (await changesResponse(app)).resume();
  const ended = once(response, 'end');
  await app.close();
  await ended;
  expect(changes.count()).toBe(0);
});

it('closes the connection of a reader that does not take what is sent', async () => {
  const { app, changes, stream, advance } = await aSimulatedInstance(await aTimedService());
  pausedReader(app);
  const reader = await changesFrom(app);
  await vi.waitUntil(() => changes.count() === 2, EVENTUALLY);
  for (let round = 0; round < 200 && changes.slowReaders() === 0; round += 1) {
    stream.commit(MANY);
    advance();
    // The other reader takes what is sent.
    for (let event = 0; event < 20; event += 1) await reader.next('invalidate');
  }
  expect(changes.slowReaders()).toBe(1);
  await vi.waitUntil(() => changes.count() === 1, EVENTUALLY);
});

it('ends a stream whose client has changed', async () => {
  const { app, stream, advance } = await aSimulatedInstance(await aTimedService());
  const response = (await changesResponse(app)).resume();
  const ended = once(response, 'end');
  stream.commit({ kind: 'entities', tags: [cacheTag('client', 'rs1')] });
  advance();
  await ended;
});

it('ends a stream five seconds after it was last known that its client is unchanged', async () => {
  const { app, stream, advance, pass } = await aSimulatedInstance(await aTimedService());
  const { next } = await changesFrom(app);
  stream.lose();
  pass(4_000);
  stream.start();
  advance();
  expect((await next('reset')).data.reason).toBe('no_position');
  expect((await next('reset')).data.reason).toBe('interrupted');
  pass(700);
  advance();
  await next('heartbeat');
  pass(100);
  stream.commit({ kind: 'entities', tags: [cacheTag('client', 'other')] });
  advance();
  await expect(next()).rejects.toThrow('the stream has ended');
});
