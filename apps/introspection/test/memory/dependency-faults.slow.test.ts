import { foreignSql } from '@vestibule/local-services/testing';
import { testRedisUrl } from '@vestibule/testkit';
import { describe, expect, it, vi } from 'vitest';
import { aCachedInstance, aTimedService, type CachedInstance } from '../support/cached-instance.js';
import { type ChaosProxy, chaosProxy } from '../support/chaos-proxy.js';
import { activeMembers, call, INACTIVE } from '../support/introspection-call.js';

/** Sends requests until the response is a fault; returns when the last active one was sent, from the start. */
async function untilFault({ app }: CachedInstance, token: string): Promise<number> {
  const begun = performance.now();
  let lastActiveMs = 0;
  for (;;) {
    const askedMs = performance.now() - begun;
    const { status, body } = await call(app, { token });
    if (status === 500) return lastActiveMs;
    expect([status, body]).not.toEqual([200, INACTIVE.body]);
    lastActiveMs = askedMs;
    await new Promise(setImmediate);
  }
}

const FAULTS: readonly (readonly [string, (proxy: ChaosProxy) => void])[] = [
  ['is gone', (proxy) => proxy.refuse()],
  ['stands still', (proxy) => proxy.freeze()],
];

describe.each(FAULTS)('a database that %s', (_name, cause) => {
  it('uses cached states for less than five seconds, makes no token inactive, and recovers', async () => {
    const service = await aTimedService();
    const proxy = await chaosProxy(service.databaseUrl);
    const instance = await aCachedInstance({ ...service, databaseUrl: proxy.url });
    const tokens = [await service.identifier(), await service.jwt()];
    for (const token of tokens) activeMembers(await call(instance.app, { token }));
    cause(proxy);
    // A revocation that the instance cannot receive.
    const sql = await foreignSql(service.databaseUrl);
    await sql('DELETE FROM access_token');
    const lastActive = await Promise.all(tokens.map((token) => untilFault(instance, token)));
    for (const lastActiveMs of lastActive) {
      expect(lastActiveMs).toBeLessThan(5_000);
      expect(lastActiveMs).toBeGreaterThan(2_000);
    }
    proxy.pass();
    await vi.waitFor(async () => activeMembers(await call(instance.app, { token: tokens[1] ?? '' })), 60_000);
    expect(await call(instance.app, { token: tokens[0] ?? '' })).toEqual(INACTIVE);
    await vi.waitFor(() => expect(instance.cache.states.log.isCurrent(performance.now())).toBe(true), 60_000);
  });
});

describe.each(FAULTS)('a Redis that %s', (_name, cause) => {
  it('changes no response', async () => {
    const service = await aTimedService();
    const proxy = await chaosProxy(await testRedisUrl());
    const instance = await aCachedInstance(service, { redisUrl: proxy.url });
    const sql = await foreignSql(service.databaseUrl);
    const tokens = await Promise.all(Array.from({ length: 20 }, () => service.identifier()));
    for (const token of tokens.slice(0, 10)) activeMembers(await call(instance.app, { token }));
    cause(proxy);
    for (const token of tokens) activeMembers(await call(instance.app, { token }));
    await sql('DELETE FROM access_token');
    await instance.cache.states.settle();
    for (const token of tokens) expect(await call(instance.app, { token })).toEqual(INACTIVE);
    proxy.pass();
    const token = await service.identifier();
    activeMembers(await call(instance.app, { token }));
  });
});
