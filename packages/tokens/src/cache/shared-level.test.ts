import { describe, expect, it } from 'vitest';
import {
  aCluster,
  advanceWatermarks,
  introspectAlone,
  introspectAndSettle,
} from '../testing/held-cluster.js';
import { clockAhead, turnsPass } from '../testing/simulated-cluster.js';
import { earliestMs } from './store-clock.js';

describe('the shared level', () => {
  const shared = {};

  it('spares the other instance a read of the store, and is used for states that were read after its stream started', async () => {
    const cluster = aCluster(shared);
    const { a, b, time } = cluster;
    await introspectAndSettle(cluster, a);
    expect(await introspectAndSettle(cluster, b)).toBe('active');
    expect(b.cache.counters).toMatchObject({ sharedHits: 0, storeQueries: 1 });
    time.pass(1_001);
    advanceWatermarks(cluster);
    cluster.issue('u');
    await introspectAndSettle(cluster, a, 'u');
    expect(await introspectAndSettle(cluster, b, 'u')).toBe('active');
    expect(b.cache.counters).toMatchObject({ sharedHits: 1, storeQueries: 1 });
  });

  it('is not used by an instance whose stream has not started, for it may have said before a restart that the token is inactive', async () => {
    const cluster = aCluster({ ...shared, isLaunching: true });
    const { a, b, time } = cluster;
    time.pass(2_000);
    advanceWatermarks(cluster);
    await introspectAndSettle(cluster, a);
    const revoked = cluster.revoke('t', a);
    await turnsPass();
    a.stream.deliver(a.stream.waiting);
    a.shared?.step(a.shared.waiting, 'lost');
    await revoked;
    expect(await introspectAndSettle(cluster, b)).toBe('inactive');
    b.stream.start();
    advanceWatermarks(cluster);
    expect(await introspectAndSettle(cluster, b)).toBe('inactive');
  });

  it('is used for five seconds after the store was read, even for states in the in-process cache', async () => {
    const cluster = aCluster(shared);
    const { a, b, time } = cluster;
    time.pass(2_000);
    advanceWatermarks(cluster);
    await introspectAndSettle(cluster, a);
    time.pass(4_000);
    advanceWatermarks(cluster);
    await introspectAndSettle(cluster, b);
    expect(b.cache.counters).toMatchObject({ sharedHits: 1, storeQueries: 0 });
    time.pass(999);
    advanceWatermarks(cluster);
    expect(await cluster.introspect(b, 't')).toBe('active');
    time.pass(1);
    advanceWatermarks(cluster);
    expect(await introspectAndSettle(cluster, b)).toBe('active');
    expect(b.cache.counters.storeQueries).toBe(1);
  });

  it('gets a tombstone from every instance that receives a revocation, and from a claim before its response', async () => {
    const cluster = aCluster(shared);
    const { a, b, time } = cluster;
    time.pass(2_000);
    for (const token of ['t', 'u']) {
      advanceWatermarks(cluster);
      cluster.issue(token);
      await introspectAndSettle(cluster, a, token);
    }
    await cluster.revoke('t');
    a.stream.deliver(1);
    a.shared?.step(1, 'done');
    expect(await introspectAndSettle(cluster, b)).toBe('inactive');
    expect(b.cache.counters.sharedHits).toBe(0);
    const claimed = cluster.claim(a, 'u');
    await turnsPass();
    let hasResponse = false;
    void claimed.then(() => {
      hasResponse = true;
    });
    await turnsPass();
    expect(hasResponse).toBe(false);
    a.shared?.step(1, 'done');
    expect(await claimed).toBe('active');
    expect(await introspectAndSettle(cluster, b, 'u')).toBe('inactive');
    expect(b.cache.counters.sharedHits).toBe(0);
  });

  it('is not used for a token that is known to be deleted here, even without the tombstone', async () => {
    const cluster = aCluster(shared);
    const { a, b, time } = cluster;
    time.pass(2_000);
    advanceWatermarks(cluster);
    await introspectAndSettle(cluster, b);
    const revoked = cluster.revoke('t', a);
    await turnsPass();
    a.stream.deliver(a.stream.waiting);
    a.shared?.step(a.shared.waiting, 'lost');
    await revoked;
    expect(await introspectAndSettle(cluster, a)).toBe('inactive');
    expect(cluster.history.at(-1)).toMatchObject({ node: 'a', response: 'inactive' });
  });

  it('does not restore a token that the store did not have, even before the invalidation event', async () => {
    const cluster = aCluster(shared);
    const { a, b, time } = cluster;
    time.pass(2_000);
    advanceWatermarks(cluster);
    const held = cluster.introspect(b, 't');
    await turnsPass();
    b.shared?.step(1, 'done');
    await turnsPass();
    await cluster.revoke('t');
    expect(await introspectAlone(cluster, a)).toBe('inactive');
    time.pass(1);
    b.store.end('early');
    await turnsPass();
    b.shared?.step(b.shared.waiting, 'done');
    expect(await held).toBe('active');
    expect(await introspectAndSettle(cluster, a)).toBe('inactive');
  });

  it('does not restore a token whose client had expired when the store was read, here or elsewhere', async () => {
    const cluster = aCluster(shared);
    const { a, b, time, sharedServer, digestOf } = cluster;
    time.pass(2_000);
    advanceWatermarks(cluster);
    const state = cluster.issue('u');
    const readAtMs = time.clock.nowMs();
    // The client expires after it was read, without an event.
    cluster.issue('u', 3_600_000, { clientExpiresAt: state.issuedAt });
    expect(await introspectAndSettle(cluster, a, 'u')).toBe('inactive');
    const slowReader = sharedServer.connect();
    void slowReader.fill(digestOf('u'), state, readAtMs);
    slowReader.step(1, 'done');
    expect(await introspectAndSettle(cluster, b, 'u')).toBe('inactive');
    // Even if the tombstone is lost.
    sharedServer.plant(digestOf('u'), state, readAtMs);
    time.pass(1_001);
    expect(await introspectAlone(cluster, a, 'u')).toBe('inactive');
    expect([a, b].map(({ cache }) => cache.counters.sharedHits)).toEqual([0, 0]);
  });

  it('is not filled with a state that was invalidated while it was read', async () => {
    const cluster = aCluster(shared);
    const { a } = cluster;
    void cluster.introspect(a, 't');
    await turnsPass();
    a.shared?.step(1, 'done');
    await turnsPass();
    await cluster.revoke('t');
    a.stream.deliver(1);
    a.shared?.step(1, 'lost');
    a.store.end('early');
    await turnsPass();
    expect(a.shared?.waiting).toBe(0);
  });

  it('is not used for states that were read too long ago, or before an event by a clock that is ahead', async () => {
    const cluster = aCluster(shared);
    const { a, time, sharedServer, digestOf } = cluster;
    time.pass(20_000);
    advanceWatermarks(cluster);
    const now = time.clock.nowMs();
    const readings = { old: now - 5_000, fresh: now - 4_999, ahead: now + 1, revoked: now };
    for (const [token, readAtMs] of Object.entries(readings))
      sharedServer.plant(digestOf(token), cluster.issue(token), readAtMs);
    await cluster.revoke('revoked');
    a.stream.deliver(a.stream.waiting);
    // The tombstone is lost, so only the times count.
    a.shared?.step(a.shared.waiting, 'lost');
    expect(await introspectAlone(cluster, a, 'revoked')).toBe('inactive');
    for (const token of ['old', 'ahead', 'fresh'])
      expect(await introspectAlone(cluster, a, token)).toBe('active');
    expect(a.cache.counters).toMatchObject({ sharedHits: 1, storeReads: 3 });
  });

  /** All errors of the clocks of a and b within their uncertainty. */
  const CLOCKS = [
    [12, 0],
    [50, 0],
    [0, 50],
    [900, -900],
    [-900, 900],
  ] as const;

  it('does not restore a token that the store did not have, by a pending fill, whatever the clock errors', async () => {
    for (const aheadMs of CLOCKS) {
      const cluster = aCluster({ aheadMs, entries: 0 });
      const { a, b, time } = cluster;
      time.pass(6_000);
      advanceWatermarks(cluster);
      const slow = cluster.introspect(a, 't');
      await turnsPass();
      a.shared?.step(1, 'done');
      await turnsPass();
      a.store.end('early');
      expect(await slow).toBe('active');
      time.pass(5);
      await cluster.revoke('t');
      time.pass(5);
      expect(await introspectAlone(cluster, b)).toBe('inactive');
      time.pass(5);
      // The state that a read arrives after b did not find the token, and before the event.
      a.shared?.step(1, 'done');
      expect(await introspectAlone(cluster, b)).toBe('inactive');
    }
  });

  it('is not used for states that were read before an event, whatever the clock errors', async () => {
    for (const aheadMs of CLOCKS) {
      const cluster = aCluster({ aheadMs, entries: 0 });
      const { a, b, time } = cluster;
      time.pass(6_000);
      advanceWatermarks(cluster);
      await introspectAndSettle(cluster, a);
      time.pass(300);
      await cluster.revoke('t');
      b.stream.deliver(b.stream.waiting);
      b.shared?.step(b.shared.waiting, 'lost');
      for (let passedMs = 0; passedMs < 8_000; passedMs += 100) {
        time.pass(100);
        expect(await introspectAlone(cluster, b)).toBe('inactive');
      }
    }
  });

  it('is used for no longer than five seconds without an event, whatever the clock errors', async () => {
    for (const aheadMs of CLOCKS) {
      const cluster = aCluster({ aheadMs, entries: 0 });
      const { a, b, time, sharedServer, digestOf } = cluster;
      time.pass(6_000);
      const state = cluster.issue('u');
      const errorMs = Math.max(...aheadMs.map(Math.abs));
      const readAtMs = earliestMs(clockAhead(time.clock, aheadMs[0], errorMs));
      await cluster.revoke('u');
      for (const { stream } of cluster.instances) stream.lose();
      let lastActiveMs = 0;
      for (let passedMs = 100; passedMs < 8_000; passedMs += 100) {
        time.pass(100);
        // The state that a stored, on a server that keeps it too long.
        sharedServer.plant(digestOf('u'), state, readAtMs);
        if ((await introspectAlone(cluster, b, 'u')) === 'active') lastActiveMs = passedMs;
      }
      expect(lastActiveMs).toBeGreaterThan(0);
      expect(lastActiveMs).toBeLessThan(5_000);
      expect(a.cache.counters.sharedHits).toBe(0);
    }
  });

  /**
   * An instance without an in-process cache whose read of `t` is over, while its result is still being written to the
   * shared level.
   */
  const aLandingRead = async () => {
    const cluster = aCluster({ entries: 0 });
    const { a, time } = cluster;
    time.pass(2_000);
    advanceWatermarks(cluster);
    const first = cluster.introspect(a, 't');
    await turnsPass();
    a.shared?.step(1, 'done');
    await turnsPass();
    a.store.end('early');
    expect(await first).toBe('active');
    expect(a.shared?.waiting).toBe(1);
    return cluster;
  };

  it('is read after a state was written to it; until then calls join the read of the store', async () => {
    const cluster = await aLandingRead();
    const { a } = cluster;
    const responses = Promise.all(Array.from({ length: 5 }, () => cluster.introspect(a, 't')));
    await turnsPass();
    expect(a.shared?.waiting).toBe(1);
    expect(await responses).toEqual(Array.from({ length: 5 }, () => 'active'));
    expect(a.cache.counters).toMatchObject({ storeReads: 1, sharedHits: 0, joined: 5 });
    a.shared?.step(1, 'done');
    await turnsPass();
    expect(await introspectAlone(cluster, a)).toBe('active');
    expect(a.cache.counters).toMatchObject({ storeReads: 1, sharedHits: 1 });
  });

  it('does not delay a request when Redis loses a state', async () => {
    const cluster = await aLandingRead();
    const { a } = cluster;
    a.shared?.step(1, 'lost');
    await turnsPass();
    expect(await introspectAlone(cluster, a)).toBe('active');
    expect(a.cache.counters).toMatchObject({ storeReads: 2, sharedHits: 0 });
  });

  it('does not let calls join a read that was contradicted, or whose watermark is lost', async () => {
    const revoked = await aLandingRead();
    await revoked.revoke('t');
    revoked.a.stream.deliver(revoked.a.stream.waiting);
    expect(await introspectAlone(revoked, revoked.a)).toBe('inactive');
    const withoutWatermark = await aLandingRead();
    withoutWatermark.time.pass(1_000);
    void withoutWatermark.introspect(withoutWatermark.a, 't');
    await turnsPass();
    expect(withoutWatermark.a.shared?.waiting).toBe(2);
  });

  it('reads the store when it finds a tombstone', async () => {
    const cluster = aCluster(shared);
    const { a, time } = cluster;
    time.pass(2_000);
    advanceWatermarks(cluster);
    cluster.issue('u');
    const tombstone = a.shared?.invalidate([cluster.digestOf('u')]);
    a.shared?.step(1, 'done');
    await tombstone;
    expect(await introspectAndSettle(cluster, a, 'u')).toBe('active');
  });
});
