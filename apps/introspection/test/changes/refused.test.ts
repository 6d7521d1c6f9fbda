import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import type { Server } from '@vestibule/http';
import { nodeScheduler } from '@vestibule/protocol/runtime';
import { cacheTag } from '@vestibule/tokens/cache';
import { tagStream } from '@vestibule/tokens/tag-stream';
import { simulatedStream } from '@vestibule/tokens/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import { buildApp, type ChangeStreamsOptions, changeStreams } from '../../src/index.js';
import { aCachedInstance, aTimedService } from '../support/cached-instance.js';
import { bearerProof } from '../support/callers.js';
import { changesFrom, changesResponse } from '../support/change-reader.js';
import { basic } from '../support/introspection-call.js';
import { aTestService } from '../support/test-service.js';

const statusOf = async (app: Server, headers: Record<string, string>, query = '') =>
  (await changesResponse(app, headers, query)).statusCode;

/** A cached instance with other limits of its streams. */
async function aLimitedInstance(limits: Pick<ChangeStreamsOptions, 'maxStreams'> = {}) {
  const service = await aTimedService();
  const { cache } = await aCachedInstance(service);
  const { tagStream, states, watch } = cache;
  const changes = changeStreams({ tagStream, states, scheduler: nodeScheduler, random: () => 1, ...limits });
  const app = buildApp({ ...service.deps, states, watch, changes }, { logger: false });
  return { app, service, changes };
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
  await vi.waitUntil(() => changes.count() === 1);
  expect(await statusOf(app, { authorization: basic() })).toBe(200);
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
  const service = await aTimedService();
  const { cache } = await aCachedInstance(service);
  const stream = simulatedStream(() => performance.now());
  const tags = tagStream({ stream, digester: service.deps.digester, monotonic: () => performance.now() });
  const { states, watch } = cache;
  const changes = changeStreams({ tagStream: tags, states, scheduler: nodeScheduler, random: () => 1 });
  const app = buildApp({ ...service.deps, states, watch, changes }, { logger: false });
  onTestFinished(() => app.close());
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on(
    'error',
    () => undefined,
  );
  onTestFinished(() => void socket.destroy());
  socket.pause();
  socket.write(`GET /token/changes HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic()}\r\n\r\n`);
  const reader = await changesFrom(app);
  await vi.waitUntil(() => changes.count() === 2);
  const names = Array.from({ length: 10_000 }, (_, index) => cacheTag('client', String(index)));
  stream.beat();
  for (let round = 0; round < 200 && changes.slowReaders() === 0; round += 1) {
    stream.commit({ kind: 'entities', tags: names });
    stream.beat();
    stream.deliver(3);
    // The other reader takes what is sent.
    for (let event = 0; event < 20; event += 1) await reader.next('invalidate');
  }
  expect(changes.slowReaders()).toBe(1);
  await vi.waitUntil(() => changes.count() === 1);
});
