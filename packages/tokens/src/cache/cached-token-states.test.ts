import { nowSeconds } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { aCluster, advanceWatermarks, introspectAndSettle } from '../testing/held-cluster.js';
import { calm, turnsPass } from '../testing/simulated-cluster.js';

describe('the in-process cache', () => {
  it('serves states without reading until the watermark is a second old', async () => {
    const cluster = aCluster();
    const { a, time } = cluster;
    await introspectAndSettle(cluster, a);
    const { counters } = a.cache;
    for (const passed of [0, 500, 499]) {
      time.pass(passed);
      expect(await cluster.introspect(a, 't')).toBe('active');
    }
    expect(counters).toMatchObject({ storeQueries: 1, memoryHits: 3 });
    time.pass(1);
    expect(await introspectAndSettle(cluster, a)).toBe('active');
    expect(counters.storeQueries).toBe(2);
    time.pass(10_000);
    advanceWatermarks(cluster);
    expect(await cluster.introspect(a, 't')).toBe('active');
    expect(counters.storeQueries).toBe(2);
  });

  it('discards the states that an invalidation event names, and no others', async () => {
    const cluster = aCluster();
    cluster.issue('other');
    for (const token of ['t', 'other']) await introspectAndSettle(cluster, cluster.a, token);
    await cluster.revoke('t');
    cluster.a.stream.deliver(1);
    expect(await cluster.introspect(cluster.a, 'other')).toBe('active');
    expect(await introspectAndSettle(cluster, cluster.a)).toBe('inactive');
    expect(cluster.a.cache.counters.storeQueries).toBe(3);
  });

  it('discards everything on an event that covers all tokens', async () => {
    const cluster = aCluster();
    await introspectAndSettle(cluster, cluster.a);
    cluster.a.stream.commit({ kind: 'everything' });
    advanceWatermarks(cluster);
    expect(cluster.a.cache.cached('t'.padEnd(43, '0'))).toBeUndefined();
    expect(await introspectAndSettle(cluster, cluster.a)).toBe('active');
    expect(await cluster.introspect(cluster.a, 't')).toBe('active');
  });

  it('serves no state after a gap in the stream until the token was read again', async () => {
    const cluster = aCluster();
    await introspectAndSettle(cluster, cluster.a);
    cluster.a.stream.lose();
    expect(await introspectAndSettle(cluster, cluster.a)).toBe('active');
    cluster.a.stream.start();
    advanceWatermarks(cluster);
    expect(await introspectAndSettle(cluster, cluster.a)).toBe('active');
    expect(await cluster.introspect(cluster.a, 't')).toBe('active');
    expect(cluster.a.cache.counters.storeQueries).toBe(3);
  });

  // Otherwise a token that was read before the stream started would stay active until its expiry.
  it('does not serve states that were read before the stream started', async () => {
    const cluster = aCluster();
    const { a } = cluster;
    a.stream.lose();
    const response = cluster.introspect(a, 't');
    await turnsPass();
    await cluster.revoke('t');
    a.stream.start();
    advanceWatermarks(cluster);
    a.store.end('early');
    expect(await response).toBe('active');
    expect(await introspectAndSettle(cluster, a)).toBe('inactive');
  });

  it('caches nothing with a limit of zero', async () => {
    const cluster = aCluster({ withoutShared: true, entries: 0 });
    for (let times = 1; times <= 3; times += 1) {
      expect(await introspectAndSettle(cluster, cluster.a)).toBe('active');
      expect(cluster.a.cache.counters.storeQueries).toBe(times);
    }
    expect(cluster.a.cache.memory).toMatchObject({ size: 0, bytes: 0 });
  });
});

describe('a delayed read', () => {
  // Between reading the store and caching the result.
  it('does not restore a token that was revoked in between, on its own instance or the other', async () => {
    const cluster = aCluster({});
    const { a, b, time } = cluster;
    time.pass(10_000);
    advanceWatermarks(cluster);
    const held = cluster.introspect(a, 't');
    await turnsPass();
    a.shared?.step(1, 'done');
    await turnsPass();
    const revoked = cluster.revoke('t', a);
    await turnsPass();
    a.stream.deliver(a.stream.waiting);
    await turnsPass();
    a.shared?.step(a.shared.waiting, 'done');
    await revoked;
    a.store.end('early');
    expect(await held).toBe('active');
    expect(await introspectAndSettle(cluster, a)).toBe('inactive');
    expect(await introspectAndSettle(cluster, b)).toBe('inactive');
    advanceWatermarks(cluster);
    for (const instance of [a, b]) expect(await introspectAndSettle(cluster, instance)).toBe('inactive');
  });

  it('does not restore a token by ending after a read that did not find it', async () => {
    const cluster = aCluster();
    const { a, time } = cluster;
    const early = cluster.introspect(a, 't');
    await turnsPass();
    await cluster.revoke('t');
    time.pass(1_500);
    const late = cluster.introspect(a, 't');
    await turnsPass();
    expect(a.store.waiting).toBe(2);
    a.store.endNewest('late');
    expect(await late).toBe('inactive');
    a.store.end('early');
    expect(await early).toBe('active');
    expect(a.cache.memory.size).toBe(0);
  });

  it('discards the result of a read that began later, when it does not find the token', async () => {
    const cluster = aCluster();
    const { a, time } = cluster;
    const first = cluster.introspect(a, 't');
    await turnsPass();
    time.pass(1_500);
    const second = cluster.introspect(a, 't');
    await turnsPass();
    a.store.endNewest('late');
    expect(await second).toBe('active');
    await cluster.revoke('t');
    a.store.end('late');
    expect(await first).toBe('inactive');
    time.pass(1);
    const third = cluster.introspect(a, 't');
    await turnsPass();
    a.store.end('fault');
    expect(await third).toBe('fault');
  });

  it('neither joins nor caches a read that found the token before it was deleted', async () => {
    const cluster = aCluster();
    const { a, time } = cluster;
    const first = cluster.introspect(a, 't');
    await turnsPass();
    time.pass(1_500);
    const second = cluster.introspect(a, 't');
    await turnsPass();
    await cluster.revoke('t');
    a.store.end('late');
    expect(await first).toBe('inactive');
    time.pass(1);
    const third = cluster.introspect(a, 't');
    await turnsPass();
    a.store.end('early');
    expect(await second).toBe('active');
    expect(a.cache.memory.size).toBe(0);
    a.store.end('early');
    await turnsPass();
    expect(await third).toBe('inactive');
  });

  it('discards the result of a read that began later, when it finds the client expired', async () => {
    const cluster = aCluster();
    const { a, time } = cluster;
    const clientExpiresAt = nowSeconds(time.clock);
    const first = cluster.introspect(a, 't');
    await turnsPass();
    time.pass(1_500);
    const second = cluster.introspect(a, 't');
    await turnsPass();
    a.store.endNewest('late');
    expect(await second).toBe('active');
    cluster.issue('t', 600_000, { clientExpiresAt });
    a.store.end('late');
    expect(await first).toBe('inactive');
    expect(a.cache.memory.size).toBe(0);
  });

  it('is not shared with later requests when it is too old, or when an event contradicts it', async () => {
    const cluster = aCluster();
    const { a, time } = cluster;
    void cluster.introspect(a, 't');
    await turnsPass();
    void cluster.introspect(a, 't');
    await turnsPass();
    expect([a.cache.counters.joined, a.store.waiting]).toEqual([1, 1]);
    time.pass(1_000);
    void cluster.introspect(a, 't');
    await turnsPass();
    expect(a.store.waiting).toBe(2);
    advanceWatermarks(cluster);
    await cluster.revoke('t');
    const follower = cluster.introspect(a, 't');
    cluster.a.stream.deliver(1);
    a.store.end('early');
    a.store.end('early');
    await turnsPass();
    a.store.end('late');
    expect(await follower).toBe('inactive');
    await calm(cluster);
  });
});

describe('parallel reads', () => {
  it('of one token are one lookup, and of several tokens one query', async () => {
    const cluster = aCluster();
    const { a } = cluster;
    for (const token of ['u', 'v']) cluster.issue(token);
    const responses = ['t', 'u', 'v', 'unknown'].flatMap((token) =>
      Array.from({ length: 100 }, () => cluster.introspect(a, token)),
    );
    await turnsPass();
    expect(a.store.waiting).toBe(1);
    a.store.end('late');
    await calm(cluster);
    const counted = await Promise.all(responses);
    expect(counted.filter((response) => response === 'active')).toHaveLength(300);
    expect(counted.filter((response) => response === 'inactive')).toHaveLength(100);
    // Callers that requested the unknown token in between share one more read.
    expect(a.cache.counters).toMatchObject({ storeQueries: 2, storeReads: 5 });
  });

  // Otherwise a token that is introspected while it is issued would be inactive for all callers at that time.
  it('share a result that is found, but not one that is not found', async () => {
    const cluster = aCluster();
    const before = cluster.introspect(cluster.a, 'new');
    await turnsPass();
    cluster.issue('new');
    const after = cluster.introspect(cluster.a, 'new');
    await turnsPass();
    cluster.a.store.end('early');
    await turnsPass();
    cluster.a.store.end('early');
    expect([await before, await after]).toEqual(['inactive', 'active']);
  });

  it('are rejected when too many reads are waiting', async () => {
    const cluster = aCluster();
    const requests = Array.from({ length: 8_000 }, (_, index) => cluster.introspect(cluster.a, `x${index}`));
    await turnsPass();
    expect(cluster.a.store.waiting).toBeLessThanOrEqual(50);
    await calm(cluster);
    const responses = await Promise.all(requests);
    expect(responses).toContain('fault');
    expect(responses.filter((response) => response === 'inactive').length).toBeGreaterThan(5_000);
  });
});

describe('a store that does not respond', () => {
  it('is replaced by the stale fallback for less than five seconds, and then is a fault', async () => {
    const cluster = aCluster();
    const { a, time } = cluster;
    await introspectAndSettle(cluster, a);
    time.pass(1_000);
    for (const passed of [0, 2_000, 1_749]) {
      time.pass(passed);
      const response = cluster.introspect(a, 't');
      await turnsPass();
      a.store.end('fault');
      expect(await response).toBe('active');
    }
    expect(a.cache.counters.staleFallbacks).toBe(3);
    time.pass(1);
    const response = cluster.introspect(a, 't');
    await turnsPass();
    a.store.end('fault');
    expect(await response).toBe('fault');
  });

  it('is replaced in the same way when the stream is interrupted too, counted from the last watermark', async () => {
    const cluster = aCluster();
    const { a, time } = cluster;
    await introspectAndSettle(cluster, a);
    time.pass(500);
    advanceWatermarks(cluster);
    time.pass(100);
    a.stream.lose();
    for (const [passed, expected] of [
      [4_649, 'active'],
      [1, 'fault'],
    ] as const) {
      time.pass(passed);
      const response = cluster.introspect(a, 't');
      await turnsPass();
      a.store.end('fault');
      expect(await response).toBe(expected);
    }
  });

  it('is not waited for if there is a stale fallback, and otherwise for two seconds', async () => {
    const cluster = aCluster();
    const { a, time } = cluster;
    await introspectAndSettle(cluster, a);
    time.pass(1_000);
    const stale = cluster.introspect(a, 't');
    const unknown = cluster.introspect(a, 'unknown');
    await turnsPass();
    time.pass(100);
    expect(await stale).toBe('active');
    time.pass(1_900);
    expect(await unknown).toBe('fault');
  });

  it('is a fault for a token that was revoked here, even when the stream is interrupted', async () => {
    const cluster = aCluster();
    const { a } = cluster;
    await introspectAndSettle(cluster, a);
    a.stream.lose();
    await cluster.revoke('t', a);
    const response = cluster.introspect(a, 't');
    await turnsPass();
    a.store.end('fault');
    expect(await response).toBe('fault');
  });
});
