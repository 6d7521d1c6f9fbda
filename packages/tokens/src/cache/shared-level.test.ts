import { describe, expect, it } from 'vitest';
import { earliestMs } from '../store-clock.js';
import { aHouse, asked, askedAlone, prove } from '../testing/held-house.js';
import { clockAhead, turnsPass } from '../testing/simulated-house.js';

describe('the shared level', () => {
  const shared = {};

  it('spares the other instance the store, and is trusted for what was read since its feed started', async () => {
    const house = aHouse(shared);
    const { a, b, time } = house;
    await asked(house, a);
    expect(await asked(house, b)).toBe('active');
    expect(b.cache.counters).toMatchObject({ sharedHits: 0, storeQueries: 1 });
    time.pass(1_001);
    prove(house);
    house.issue('u');
    await asked(house, a, 'u');
    expect(await asked(house, b, 'u')).toBe('active');
    expect(b.cache.counters).toMatchObject({ sharedHits: 1, storeQueries: 1 });
  });

  it('is used for five seconds from the look into the store, in the memory that it filled too', async () => {
    const house = aHouse(shared);
    const { a, b, time } = house;
    time.pass(2_000);
    prove(house);
    await asked(house, a);
    time.pass(4_000);
    prove(house);
    await asked(house, b);
    expect(b.cache.counters).toMatchObject({ sharedHits: 1, storeQueries: 0 });
    time.pass(999);
    prove(house);
    expect(await house.ask(b, 't')).toBe('active');
    time.pass(1);
    prove(house);
    expect(await asked(house, b)).toBe('active');
    expect(b.cache.counters.storeQueries).toBe(1);
  });

  it('gets a tombstone from whoever hears of a revocation, and from a claim before it is answered', async () => {
    const house = aHouse(shared);
    const { a, b, time } = house;
    time.pass(2_000);
    for (const token of ['t', 'u']) {
      prove(house);
      house.issue(token);
      await asked(house, a, token);
    }
    await house.revoke('t');
    a.feed.deliver(1);
    a.shared?.step(1, 'done');
    expect(await asked(house, b)).toBe('inactive');
    expect(b.cache.counters.sharedHits).toBe(0);
    const claimed = house.claim(a, 'u');
    await turnsPass();
    let isAnswered = false;
    void claimed.then(() => {
      isAnswered = true;
    });
    await turnsPass();
    expect(isAnswered).toBe(false);
    a.shared?.step(1, 'done');
    expect(await claimed).toBe('active');
    expect(await asked(house, b, 'u')).toBe('inactive');
    expect(b.cache.counters.sharedHits).toBe(0);
  });

  it('is not believed about a token that is known to be gone here, whatever became of the tombstone', async () => {
    const house = aHouse(shared);
    const { a, b, time } = house;
    time.pass(2_000);
    prove(house);
    await asked(house, b);
    const revoked = house.revoke('t', a);
    await turnsPass();
    a.feed.deliver(a.feed.waiting);
    a.shared?.step(a.shared.waiting, 'lost');
    await revoked;
    expect(await asked(house, a)).toBe('inactive');
    expect(house.history.at(-1)).toMatchObject({ node: 'a', answer: 'inactive' });
  });

  it('does not bring back here what the store did not have, before anybody announced it', async () => {
    const house = aHouse(shared);
    const { a, b, time } = house;
    time.pass(2_000);
    prove(house);
    const held = house.ask(b, 't');
    await turnsPass();
    b.shared?.step(1, 'done');
    await turnsPass();
    await house.revoke('t');
    expect(await askedAlone(house, a)).toBe('inactive');
    time.pass(1);
    b.store.end('early');
    await turnsPass();
    b.shared?.step(b.shared.waiting, 'done');
    expect(await held).toBe('active');
    expect(await asked(house, a)).toBe('inactive');
  });

  it('does not bring back a token whose client had expired when the store was asked, here or elsewhere', async () => {
    const house = aHouse(shared);
    const { a, b, time, sharedServer, digestOf } = house;
    time.pass(2_000);
    prove(house);
    const state = house.issue('u');
    const readAtMs = time.clock.nowMs();
    // The client expires after somebody has read it, and nobody hears of that.
    house.issue('u', 3_600_000, { clientExpiresAt: state.issuedAt });
    expect(await asked(house, a, 'u')).toBe('inactive');
    const slowReader = sharedServer.connect();
    void slowReader.fill(digestOf('u'), state, readAtMs);
    slowReader.step(1, 'done');
    expect(await asked(house, b, 'u')).toBe('inactive');
    // Also where the tombstone is lost.
    sharedServer.plant(digestOf('u'), state, readAtMs);
    time.pass(1_001);
    expect(await askedAlone(house, a, 'u')).toBe('inactive');
    expect([a, b].map(({ cache }) => cache.counters.sharedHits)).toEqual([0, 0]);
  });

  it('is not filled with what was announced to be gone while it was read', async () => {
    const house = aHouse(shared);
    const { a } = house;
    void house.ask(a, 't');
    await turnsPass();
    a.shared?.step(1, 'done');
    await turnsPass();
    await house.revoke('t');
    a.feed.deliver(1);
    a.shared?.step(1, 'lost');
    a.store.end('early');
    await turnsPass();
    expect(a.shared?.waiting).toBe(0);
  });

  it('is not believed about what was read too long ago, or before an announcement by a clock that is ahead', async () => {
    const house = aHouse(shared);
    const { a, time, sharedServer, digestOf } = house;
    time.pass(20_000);
    prove(house);
    const now = time.clock.nowMs();
    const readings = { old: now - 5_000, fresh: now - 4_999, ahead: now + 1, revoked: now };
    for (const [token, readAtMs] of Object.entries(readings))
      sharedServer.plant(digestOf(token), house.issue(token), readAtMs);
    await house.revoke('revoked');
    a.feed.deliver(a.feed.waiting);
    // The tombstone is lost, and only the times are left to tell.
    a.shared?.step(a.shared.waiting, 'lost');
    expect(await askedAlone(house, a, 'revoked')).toBe('inactive');
    for (const token of ['old', 'ahead', 'fresh']) expect(await askedAlone(house, a, token)).toBe('active');
    expect(a.cache.counters).toMatchObject({ sharedHits: 1, storeReads: 3 });
  });

  /** Every way in which the clocks of a and b can be off, by no more than they say. */
  const CLOCKS = [
    [12, 0],
    [50, 0],
    [0, 50],
    [900, -900],
    [-900, 900],
  ] as const;

  it('does not bring back what the store did not have, by a fill that was under way, whatever the clocks say', async () => {
    for (const aheadMs of CLOCKS) {
      const house = aHouse({ aheadMs, entries: 0 });
      const { a, b, time } = house;
      time.pass(6_000);
      prove(house);
      const slow = house.ask(a, 't');
      await turnsPass();
      a.shared?.step(1, 'done');
      await turnsPass();
      a.store.end('early');
      expect(await slow).toBe('active');
      time.pass(5);
      await house.revoke('t');
      time.pass(5);
      expect(await askedAlone(house, b)).toBe('inactive');
      time.pass(5);
      // What a read arrives there after b has seen that it is gone, and before anybody has heard so.
      a.shared?.step(1, 'done');
      expect(await askedAlone(house, b)).toBe('inactive');
    }
  });

  it('is not believed about what was read before an announcement, whatever the clocks say', async () => {
    for (const aheadMs of CLOCKS) {
      const house = aHouse({ aheadMs, entries: 0 });
      const { a, b, time } = house;
      time.pass(6_000);
      prove(house);
      await asked(house, a);
      time.pass(300);
      await house.revoke('t');
      b.feed.deliver(b.feed.waiting);
      b.shared?.step(b.shared.waiting, 'lost');
      for (let passedMs = 0; passedMs < 8_000; passedMs += 100) {
        time.pass(100);
        expect(await askedAlone(house, b)).toBe('inactive');
      }
    }
  });

  it('is used for no longer than five seconds where no announcement arrives, whatever the clocks say', async () => {
    for (const aheadMs of CLOCKS) {
      const house = aHouse({ aheadMs, entries: 0 });
      const { a, b, time, sharedServer, digestOf } = house;
      time.pass(6_000);
      const state = house.issue('u');
      const errorMs = Math.max(...aheadMs.map(Math.abs));
      const readAtMs = earliestMs(clockAhead(time.clock, aheadMs[0], errorMs));
      await house.revoke('u');
      for (const { feed } of house.instances) feed.lose();
      let lastActiveMs = 0;
      for (let passedMs = 100; passedMs < 8_000; passedMs += 100) {
        time.pass(100);
        // As a stored it, on a server that keeps it for too long.
        sharedServer.plant(digestOf('u'), state, readAtMs);
        if ((await askedAlone(house, b, 'u')) === 'active') lastActiveMs = passedMs;
      }
      expect(lastActiveMs).toBeGreaterThan(0);
      expect(lastActiveMs).toBeLessThan(5_000);
      expect(a.cache.counters.sharedHits).toBe(0);
    }
  });

  /**
   * An instance without a memory whose read of `t` is over, while what it read is still on its way to the shared level.
   */
  const aLandingRead = async () => {
    const house = aHouse({ entries: 0 });
    const { a, time } = house;
    time.pass(2_000);
    prove(house);
    const first = house.ask(a, 't');
    await turnsPass();
    a.shared?.step(1, 'done');
    await turnsPass();
    a.store.end('early');
    expect(await first).toBe('active');
    expect(a.shared?.waiting).toBe(1);
    return house;
  };

  it('is asked about a token after its state has landed there; until then questions take part in the read', async () => {
    const house = await aLandingRead();
    const { a } = house;
    const answers = Promise.all(Array.from({ length: 5 }, () => house.ask(a, 't')));
    await turnsPass();
    expect(a.shared?.waiting).toBe(1);
    expect(await answers).toEqual(Array.from({ length: 5 }, () => 'active'));
    expect(a.cache.counters).toMatchObject({ storeReads: 1, sharedHits: 0, joined: 5 });
    a.shared?.step(1, 'done');
    await turnsPass();
    expect(await askedAlone(house, a)).toBe('active');
    expect(a.cache.counters).toMatchObject({ storeReads: 1, sharedHits: 1 });
  });

  it('is not waited for when a state is lost on its way there', async () => {
    const house = await aLandingRead();
    const { a } = house;
    a.shared?.step(1, 'lost');
    await turnsPass();
    expect(await askedAlone(house, a)).toBe('active');
    expect(a.cache.counters).toMatchObject({ storeReads: 2, sharedHits: 0 });
  });

  it('lets nobody take part in a read that something was announced against, or that cannot be proven any more', async () => {
    const revoked = await aLandingRead();
    await revoked.revoke('t');
    revoked.a.feed.deliver(revoked.a.feed.waiting);
    expect(await askedAlone(revoked, revoked.a)).toBe('inactive');
    const unproven = await aLandingRead();
    unproven.time.pass(1_000);
    void unproven.ask(unproven.a, 't');
    await turnsPass();
    expect(unproven.a.shared?.waiting).toBe(2);
  });

  it('decides nothing by a tombstone alone: the store has the last word', async () => {
    const house = aHouse(shared);
    const { a, time } = house;
    time.pass(2_000);
    prove(house);
    house.issue('u');
    const burial = a.shared?.bury([house.digestOf('u')]);
    a.shared?.step(1, 'done');
    await burial;
    expect(await asked(house, a, 'u')).toBe('active');
  });
});
