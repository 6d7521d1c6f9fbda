import { nowSeconds } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { aHouse, asked, prove } from '../testing/held-house.js';
import { calm, turnsPass } from '../testing/simulated-house.js';

describe('the memory of a process', () => {
  it('answers without asking anybody, until the proof is a second old', async () => {
    const house = aHouse();
    const { a, time } = house;
    await asked(house, a);
    const { counters } = a.cache;
    for (const passed of [0, 500, 499]) {
      time.pass(passed);
      expect(await house.ask(a, 't')).toBe('active');
    }
    expect(counters).toMatchObject({ storeQueries: 1, memoryHits: 3 });
    time.pass(1);
    expect(await asked(house, a)).toBe('active');
    expect(counters.storeQueries).toBe(2);
    time.pass(10_000);
    prove(house);
    expect(await house.ask(a, 't')).toBe('active');
    expect(counters.storeQueries).toBe(2);
  });

  it('forgets what is announced, and nothing else', async () => {
    const house = aHouse();
    house.issue('other');
    for (const token of ['t', 'other']) await asked(house, house.a, token);
    await house.revoke('t');
    house.a.feed.deliver(1);
    expect(await house.ask(house.a, 'other')).toBe('active');
    expect(await asked(house, house.a)).toBe('inactive');
    expect(house.a.cache.counters.storeQueries).toBe(3);
  });

  it('forgets everything when anything may have changed', async () => {
    const house = aHouse();
    await asked(house, house.a);
    house.a.feed.commit({ kind: 'everything' });
    prove(house);
    expect(house.a.cache.known('t'.padEnd(43, '0'))).toBeUndefined();
    expect(await asked(house, house.a)).toBe('active');
    expect(await house.ask(house.a, 't')).toBe('active');
  });

  it('is of no use after announcements were lost, until each token is read again', async () => {
    const house = aHouse();
    await asked(house, house.a);
    house.a.feed.lose();
    expect(await asked(house, house.a)).toBe('active');
    house.a.feed.start();
    prove(house);
    expect(await asked(house, house.a)).toBe('active');
    expect(await house.ask(house.a, 't')).toBe('active');
    expect(house.a.cache.counters.storeQueries).toBe(3);
  });

  // Otherwise a token that was read while nobody listened stays alive for as long as it lives.
  it('does not take over what was read before the feed started', async () => {
    const house = aHouse();
    const { a } = house;
    a.feed.lose();
    const answer = house.ask(a, 't');
    await turnsPass();
    await house.revoke('t');
    a.feed.start();
    prove(house);
    a.store.end('early');
    expect(await answer).toBe('active');
    expect(await asked(house, a)).toBe('inactive');
  });

  it('remembers nothing of anybody when it may hold nothing', async () => {
    const house = aHouse({ withoutShared: true, entries: 0 });
    for (let times = 1; times <= 3; times += 1) {
      expect(await asked(house, house.a)).toBe('active');
      expect(house.a.cache.counters.storeQueries).toBe(times);
    }
    expect(house.a.cache.memory).toMatchObject({ size: 0, bytes: 0 });
  });
});

describe('a reader that is held up', () => {
  // Between the look into the store and the writing of what was seen there.
  it('does not bring a token back that was revoked meanwhile, on its own instance or the other', async () => {
    const house = aHouse({});
    const { a, b, time } = house;
    time.pass(10_000);
    prove(house);
    const held = house.ask(a, 't');
    await turnsPass();
    a.shared?.step(1, 'done');
    await turnsPass();
    const revoked = house.revoke('t', a);
    await turnsPass();
    a.feed.deliver(a.feed.waiting);
    await turnsPass();
    a.shared?.step(a.shared.waiting, 'done');
    await revoked;
    a.store.end('early');
    expect(await held).toBe('active');
    expect(await asked(house, a)).toBe('inactive');
    expect(await asked(house, b)).toBe('inactive');
    prove(house);
    for (const instance of [a, b]) expect(await asked(house, instance)).toBe('inactive');
  });

  it('does not bring a token back by ending after a reader that saw it gone', async () => {
    const house = aHouse();
    const { a, time } = house;
    const early = house.ask(a, 't');
    await turnsPass();
    await house.revoke('t');
    time.pass(1_500);
    const late = house.ask(a, 't');
    await turnsPass();
    expect(a.store.waiting).toBe(2);
    a.store.endNewest('late');
    expect(await late).toBe('inactive');
    a.store.end('early');
    expect(await early).toBe('active');
    expect(a.cache.memory.size).toBe(0);
  });

  it('leaves nothing alive of what a reader that began after it saw, when it sees it gone', async () => {
    const house = aHouse();
    const { a, time } = house;
    const first = house.ask(a, 't');
    await turnsPass();
    time.pass(1_500);
    const second = house.ask(a, 't');
    await turnsPass();
    a.store.endNewest('late');
    expect(await second).toBe('active');
    await house.revoke('t');
    a.store.end('late');
    expect(await first).toBe('inactive');
    time.pass(1);
    const third = house.ask(a, 't');
    await turnsPass();
    a.store.end('fault');
    expect(await third).toBe('fault');
  });

  it('lets nobody follow, and remembers nothing of, a reader that had seen it before it went', async () => {
    const house = aHouse();
    const { a, time } = house;
    const first = house.ask(a, 't');
    await turnsPass();
    time.pass(1_500);
    const second = house.ask(a, 't');
    await turnsPass();
    await house.revoke('t');
    a.store.end('late');
    expect(await first).toBe('inactive');
    time.pass(1);
    const third = house.ask(a, 't');
    await turnsPass();
    a.store.end('early');
    expect(await second).toBe('active');
    expect(a.cache.memory.size).toBe(0);
    a.store.end('early');
    await turnsPass();
    expect(await third).toBe('inactive');
  });

  it('leaves nothing alive of what a reader that began after it saw, when it sees the client expired', async () => {
    const house = aHouse();
    const { a, time } = house;
    const clientExpiresAt = nowSeconds(time.clock);
    const first = house.ask(a, 't');
    await turnsPass();
    time.pass(1_500);
    const second = house.ask(a, 't');
    await turnsPass();
    a.store.endNewest('late');
    expect(await second).toBe('active');
    house.issue('t', 600_000, { clientExpiresAt });
    a.store.end('late');
    expect(await first).toBe('inactive');
    expect(a.cache.memory.size).toBe(0);
  });

  it('has no followers once it is older than an answer may be, nor once something speaks against it', async () => {
    const house = aHouse();
    const { a, time } = house;
    void house.ask(a, 't');
    await turnsPass();
    void house.ask(a, 't');
    await turnsPass();
    expect([a.cache.counters.joined, a.store.waiting]).toEqual([1, 1]);
    time.pass(1_000);
    void house.ask(a, 't');
    await turnsPass();
    expect(a.store.waiting).toBe(2);
    prove(house);
    await house.revoke('t');
    const follower = house.ask(a, 't');
    house.a.feed.deliver(1);
    a.store.end('early');
    a.store.end('early');
    await turnsPass();
    a.store.end('late');
    expect(await follower).toBe('inactive');
    await calm(house);
  });
});

describe('many questions at once', () => {
  it('about one token are one look-up, and one query with those about others', async () => {
    const house = aHouse();
    const { a } = house;
    for (const token of ['u', 'v']) house.issue(token);
    const answers = ['t', 'u', 'v', 'unknown'].flatMap((token) =>
      Array.from({ length: 100 }, () => house.ask(a, token)),
    );
    await turnsPass();
    expect(a.store.waiting).toBe(1);
    a.store.end('late');
    await calm(house);
    const counted = await Promise.all(answers);
    expect(counted.filter((answer) => answer === 'active')).toHaveLength(300);
    expect(counted.filter((answer) => answer === 'inactive')).toHaveLength(100);
    // Whoever asked about the unknown token in the meantime is answered by one more.
    expect(a.cache.counters).toMatchObject({ storeQueries: 2, storeReads: 5 });
  });

  // Otherwise a token that is introspected while it is issued is dead for everybody who asks in that moment.
  it('take part in what is found, and not in that nothing is', async () => {
    const house = aHouse();
    const before = house.ask(house.a, 'new');
    await turnsPass();
    house.issue('new');
    const after = house.ask(house.a, 'new');
    await turnsPass();
    house.a.store.end('early');
    await turnsPass();
    house.a.store.end('early');
    expect([await before, await after]).toEqual(['inactive', 'active']);
  });

  it('beyond what may wait are faults', async () => {
    const house = aHouse();
    const asked = Array.from({ length: 8_000 }, (_, index) => house.ask(house.a, `x${index}`));
    await turnsPass();
    expect(house.a.store.waiting).toBeLessThanOrEqual(50);
    await calm(house);
    const answers = await Promise.all(asked);
    expect(answers).toContain('fault');
    expect(answers.filter((answer) => answer === 'inactive').length).toBeGreaterThan(5_000);
  });
});

describe('a store that does not answer', () => {
  it('is replaced by what was known to be true, for less than five seconds, and then is a fault', async () => {
    const house = aHouse();
    const { a, time } = house;
    await asked(house, a);
    time.pass(1_000);
    for (const passed of [0, 2_000, 1_749]) {
      time.pass(passed);
      const answer = house.ask(a, 't');
      await turnsPass();
      a.store.end('fault');
      expect(await answer).toBe('active');
    }
    expect(a.cache.counters.lastResorts).toBe(3);
    time.pass(1);
    const answer = house.ask(a, 't');
    await turnsPass();
    a.store.end('fault');
    expect(await answer).toBe('fault');
  });

  it('is replaced so after the feed went with it, counted from its last proof', async () => {
    const house = aHouse();
    const { a, time } = house;
    await asked(house, a);
    time.pass(500);
    prove(house);
    time.pass(100);
    a.feed.lose();
    for (const [passed, expected] of [
      [4_649, 'active'],
      [1, 'fault'],
    ] as const) {
      time.pass(passed);
      const answer = house.ask(a, 't');
      await turnsPass();
      a.store.end('fault');
      expect(await answer).toBe(expected);
    }
  });

  it('is not waited for where there is something to fall back on, and two seconds elsewhere', async () => {
    const house = aHouse();
    const { a, time } = house;
    await asked(house, a);
    time.pass(1_000);
    const remembered = house.ask(a, 't');
    const unknown = house.ask(a, 'unknown');
    await turnsPass();
    time.pass(100);
    expect(await remembered).toBe('active');
    time.pass(1_900);
    expect(await unknown).toBe('fault');
  });

  it('is a fault for a token that was revoked here, also when the feed has gone', async () => {
    const house = aHouse();
    const { a } = house;
    await asked(house, a);
    a.feed.lose();
    await house.revoke('t', a);
    const answer = house.ask(a, 't');
    await turnsPass();
    a.store.end('fault');
    expect(await answer).toBe('fault');
  });
});
