import { EventEmitter, once } from 'node:events';
import { Agent, get as httpGet } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { EVENTUALLY, started } from '../testing/service-process.js';

describe('shutdown', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('exits with 0 on %s', async (name) => {
    const { signal, exits, service } = await started();
    signal(name);
    signal(name);
    await service.stop();
    await vi.waitFor(() => expect(exits).toEqual([0, 0]), EVENTUALLY);
  });

  it('lets running requests finish, then closes dependencies in reverse order', async () => {
    const order: string[] = [];
    const closing = (name: string) => ({ name, close: async () => void order.push(name) });
    const gate = new EventEmitter();
    const { url, signal, service, server } = await started({
      dependencies: [closing('first'), closing('second')],
      gate: once(gate, 'open').then(() => order.push('responded')),
    });
    const arrival = once(server.server, 'request');
    const response = fetch(url('/work'));
    await arrival;
    signal('SIGTERM');
    await vi.waitFor(() => expect(server.server.listening).toBe(false), EVENTUALLY);
    expect(order).toEqual([]);
    gate.emit('open');
    const { status, headers } = await response;
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
    expect(await service.stop()).toBe(true);
    expect(order).toEqual(['responded', 'second', 'first']);
  });

  it('ends even if a dependency does not close, and logs that', async () => {
    const fails = { name: 'fails', close: () => Promise.reject(new Error('no')) };
    const { service, signal, exits } = await started({ dependencies: [fails] });
    signal('SIGTERM');
    expect(await service.stop()).toBe(false);
    await vi.waitFor(() => expect(exits).toEqual([1]), EVENTUALLY);
  });

  it('exits with 1 on an uncaught error', async () => {
    const { fault, exits } = await started();
    fault(new Error('unexpected'));
    expect(exits).toEqual([1]);
  });

  // On a busy machine, clients may notice a stopping instance only after the drain. The test then repeats with more
  // time.
  it('fails no request of clients that use the readiness of two instances', async () => {
    for (let drainMs = 400; drainMs <= 6_400; drainMs *= 2) {
      const { failed, byLeaving, hasLeftInTime } = await clientsOfTwoInstances(drainMs);
      if (!hasLeftInTime) continue;
      expect(failed).toBe(0);
      expect(byLeaving).toBeGreaterThan(0);
      return;
    }
    expect.unreachable('clients never noticed the stopping instance in time');
  });
});

/**
 * Stops one of two instances while clients use their readiness. Returns how many requests failed, how many responses
 * the stopping instance sent after the signal, and whether its last client had left before it closed its port.
 */
async function clientsOfTwoInstances(drainMs: number) {
  const settings = { SHUTDOWN_DRAIN_MS: drainMs };
  const [leaving, staying] = await Promise.all([started({ settings }), started({ settings })]);
  const healthy = new Set([leaving, staying]);
  const counts = { ok: 0, failed: 0, byLeaving: 0 };
  let hasLeftInTime = false;
  let isOver = false;
  const watch = (async () => {
    while (!isOver) {
      for (const instance of [leaving, staying]) {
        const isReady = await instance.ready().then(
          (status) => status === 200,
          () => false,
        );
        if (!isReady) healthy.delete(instance);
      }
      await delay(20);
    }
  })();
  const agent = new Agent({ keepAlive: true });
  const client = async (index: number) => {
    for (let turn = index; !isOver; turn += 1) {
      const choices = [...healthy];
      const instance = choices[turn % choices.length] ?? staying;
      const status = await request(instance.url('/work'), agent);
      counts[status === 200 ? 'ok' : 'failed'] += 1;
      if (instance !== leaving) continue;
      counts.byLeaving += 1;
      hasLeftInTime = leaving.server.server.listening;
    }
  };
  const clients = Array.from({ length: 16 }, (_, index) => client(index));
  await vi.waitFor(() => expect(counts.ok).toBeGreaterThan(500), EVENTUALLY);
  const before = counts.byLeaving;
  leaving.signal('SIGTERM');
  await vi.waitFor(() => expect(leaving.exits).toEqual([0]), EVENTUALLY);
  isOver = true;
  await Promise.all([...clients, watch]);
  agent.destroy();
  return { failed: counts.failed, byLeaving: counts.byLeaving - before, hasLeftInTime };
}

function request(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    httpGet(url, { agent }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', () => resolve(0));
    }).on('error', () => resolve(0));
  });
}
