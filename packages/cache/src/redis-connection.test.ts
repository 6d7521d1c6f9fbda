import { setImmediate as nextTurn } from 'node:timers/promises';
import { olderServer } from '@vestibule/local-services/testing';
import { epochSeconds, OutdatedServerError } from '@vestibule/protocol';
import { frozenClock } from '@vestibule/protocol/testing';
import { anAccessToken, runningTime, testRedisUrl } from '@vestibule/testkit';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectRedis, type RedisEvent, UNAVAILABLE } from './redis-connection.js';
import { replayStore } from './replay-store.js';
import { connectedRedis } from './testing/connected-redis.js';
import {
  NEEDED_COMMANDS,
  type RedisProcess,
  type RedisProcessOptions,
  startRedisProcess,
  TEST_PASSWORD,
} from './testing/redis-process.js';
import { someDigest } from './testing/some-digest.js';
import { tokenStateLevel } from './token-state-level.js';

const clock = frozenClock();

async function aServer(options?: RedisProcessOptions): Promise<RedisProcess> {
  const server = await startRedisProcess(options);
  onTestFinished(() => server.stop());
  return server;
}

/** Runs a call, and returns its result and its duration in milliseconds. */
async function timed<Result>(call: () => Promise<Result>) {
  const time = runningTime();
  const response = await call();
  return { response, ms: time.end() };
}

function eventsOf(events: readonly RedisEvent[]): readonly string[] {
  return events.map(({ event }) => event);
}

describe('a connection', () => {
  it('refuses an invalid address and invalid certificates without repeating them', () => {
    expect(() => connectRedis({ url: 'redis://user:hunter2@a,b' })).toThrow(/^must name each host/);
    expect(() =>
      connectRedis({
        url: 'rediss://cache',
        ca: '-----BEGIN CERTIFICATE-----\nhunter2\n-----END CERTIFICATE-----',
      }),
    ).toThrow(new TypeError('must be PEM certificates'));
  });

  it('is unavailable at once while there is no Redis, and connects when there is one', async () => {
    const gone = await startRedisProcess();
    await gone.stop();
    const redis = connectRedis({ url: gone.url });
    onTestFinished(() => redis.close());
    const level = tokenStateLevel({ redis, clock });
    const { response, ms } = await timed(() => level.get(someDigest()));
    expect(response).toEqual({ outcome: 'unavailable' });
    expect(ms).toBeLessThan(2_000);
    expect(await redis.ping()).toBe(false);

    await aServer({ port: gone.port });
    const time = runningTime();
    await vi.waitUntil(async () => (await level.get(someDigest())).outcome === 'miss', {
      timeout: 60_000,
      interval: 10,
    });
    expect(time.end()).toBeLessThan(2_000);
  });

  it('times out commands when Redis freezes, then fails them at once, and recovers by itself', async () => {
    const server = await aServer();
    const { redis, events } = await connectedRedis({ url: server.url, commandTimeoutMs: 100 });
    const level = tokenStateLevel({ redis, clock });
    const digest = someDigest();
    await level.fill(digest, anAccessToken(), clock.nowMs());

    server.freeze();
    const first = await timed(() => Promise.all(Array.from({ length: 8 }, () => level.get(digest))));
    expect(first.response).toEqual(Array(8).fill({ outcome: 'unavailable' }));
    expect(first.ms).toBeLessThan(2_000);
    expect(redis.isBreakerOpen).toBe(true);
    // Long enough for the socket to time out, and for a second one to do so too.
    await vi.waitUntil(
      async () => {
        const next = await timed(() => level.get(digest));
        expect(next.response).toEqual({ outcome: 'unavailable' });
        expect(next.ms).toBeLessThan(1_000);
        return events.filter(({ event }) => event === 'fault').length >= 11;
      },
      { timeout: 60_000, interval: 20 },
    );

    server.thaw();
    const time = runningTime();
    await vi.waitUntil(() => !redis.isBreakerOpen, { timeout: 60_000, interval: 10 });
    expect(time.end()).toBeLessThan(2_000);
    expect(eventsOf(events).filter((event) => event !== 'fault')).toEqual([
      'ready',
      'breaker_opened',
      'lost',
      'ready',
      'breaker_closed',
    ]);
  });

  it('times out a command that is queued behind others without a response', async () => {
    const server = await aServer();
    const { redis } = await connectedRedis({ url: server.url, commandTimeoutMs: 100 });
    const level = tokenStateLevel({ redis, clock });
    server.freeze();
    const ahead = level.get(someDigest());
    // The first commands are written in the next turn of the event loop; later ones wait in the client.
    await nextTurn();
    await nextTurn();
    const behind = await timed(() => level.get(someDigest()));
    expect(behind).toMatchObject({ response: { outcome: 'unavailable' } });
    expect(behind.ms).toBeLessThan(2_000);
    await ahead;
  });

  it('does not count a stall of this process as a fault of Redis', async () => {
    const server = await aServer();
    let stalledMs = Number.POSITIVE_INFINITY;
    // After half a second without a response the library ends the connection by itself.
    while (stalledMs > 400) {
      const { redis, events } = await connectedRedis({ url: server.url, commandTimeoutMs: 100 });
      const level = tokenStateLevel({ redis, clock });
      const start = performance.now();
      const responses = Promise.all(Array.from({ length: 8 }, () => level.get(someDigest())));
      // The commands are written, and their responses are not read yet.
      await nextTurn();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250);
      stalledMs = performance.now() - start;
      const seen = { responses: await responses, events: eventsOf(events) };
      redis.close();
      if (stalledMs <= 400)
        expect(seen).toEqual({ responses: Array(8).fill({ outcome: 'miss' }), events: ['ready'] });
    }
  });

  it('recovers within two seconds after Redis was killed and restarted', async () => {
    const server = await startRedisProcess();
    const { redis, events } = await connectedRedis({ url: server.url, commandTimeoutMs: 100 });
    const level = tokenStateLevel({ redis, clock });
    await server.stop();
    await vi.waitUntil(() => eventsOf(events).includes('lost'), { timeout: 60_000, interval: 10 });
    const gone = await timed(() => level.get(someDigest()));
    expect(gone.response).toEqual({ outcome: 'unavailable' });
    expect(gone.ms).toBeLessThan(1_000);

    await aServer({ port: server.port });
    const time = runningTime();
    await vi.waitUntil(async () => (await level.get(someDigest())).outcome === 'miss', {
      timeout: 60_000,
      interval: 10,
    });
    expect(time.end()).toBeLessThan(2_000);
  });

  it('recovers after its connection was killed', async () => {
    const server = await aServer();
    const { redis, events } = await connectedRedis({ url: server.url });
    const level = tokenStateLevel({ redis, clock });
    await server.admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await vi.waitUntil(() => eventsOf(events).includes('lost'), { timeout: 60_000, interval: 10 });
    await vi.waitUntil(async () => (await level.get(someDigest())).outcome === 'miss', {
      timeout: 60_000,
      interval: 10,
    });
  });

  it('misses flushed entries, and fills them again', async () => {
    const server = await aServer();
    const { redis } = await connectedRedis({ url: server.url });
    const level = tokenStateLevel({ redis, clock });
    const digest = someDigest();
    await level.fill(digest, anAccessToken(), clock.nowMs());
    await server.admin.flushall();
    expect(await level.get(digest)).toEqual({ outcome: 'miss' });
    await level.fill(digest, anAccessToken(), clock.nowMs());
    expect(await level.get(digest)).toMatchObject({ outcome: 'live' });
  });

  it('reads from a full Redis, stores nothing in it, and reports no first use', async () => {
    const server = await aServer({ configuration: ['maxmemory-policy noeviction'] });
    const { redis, events } = await connectedRedis({ url: server.url });
    const level = tokenStateLevel({ redis, clock });
    const [known, unknown] = [someDigest(), someDigest()];
    await level.fill(known, anAccessToken(), clock.nowMs());
    await server.admin.config('SET', 'maxmemory', '1');

    for (let attempt = 0; attempt < 6; attempt += 1)
      await level.fill(unknown, anAccessToken(), clock.nowMs());
    expect(await level.get(unknown)).toEqual({ outcome: 'miss' });
    expect(await level.get(known)).toMatchObject({ outcome: 'live' });
    expect(await level.invalidate([known])).toBe('unavailable');
    const inAMinute = epochSeconds(clock.nowMs() / 1000 + 60);
    expect(await replayStore({ redis, clock }).recordUse(someDigest(), inAMinute)).toBe('unavailable');
    expect(redis.isBreakerOpen).toBe(false);
    expect(events).toContainEqual({ event: 'fault', reason: 'OOM' });
  });

  it('warns only when Redis may evict entries before they expire', async () => {
    const server = await aServer();
    const policyEvents = async (policy: string) => {
      await server.admin.config('SET', 'maxmemory-policy', policy);
      const { redis, events } = await connectedRedis({ url: server.url });
      // The policy is read when the connection is ready; responses arrive in the order of the commands.
      await vi.waitUntil(() => eventsOf(events).includes('ready'), { timeout: 60_000, interval: 5 });
      await redis.ping();
      await redis.ping();
      return events.filter(({ event }) => event === 'unsafe_eviction_policy');
    };
    for (const policy of ['allkeys-lru', 'allkeys-lfu', 'allkeys-random', 'volatile-lru']) {
      expect(await policyEvents(policy)).toEqual([{ event: 'unsafe_eviction_policy', policy }]);
    }
    for (const policy of ['noeviction', 'volatile-ttl']) expect(await policyEvents(policy)).toEqual([]);
  });

  it('reports the version and the oldest supported one when Redis is too old, and uses it nevertheless', async () => {
    const server = await aServer();
    const older = await olderServer(server.url, '5');
    onTestFinished(older.close);
    const { redis, events } = await connectedRedis({ url: older.url });
    await vi.waitUntil(() => eventsOf(events).includes('outdated_server'), { timeout: 60_000, interval: 5 });
    const sentence = /^Redis 5[.\d]+ is too old: version 6\.0 or newer is needed$/;
    expect(events.slice(1)).toEqual([{ event: 'outdated_server', error: expect.any(OutdatedServerError) }]);
    expect(events[1]).toMatchObject({ error: { message: expect.stringMatching(sentence) } });
    expect(await redis.run((run) => run.incrby('vestibule:1:rate:x', 1))).toBe(1);
  });

  it('works with a user that has six commands and the keys under its prefix', async () => {
    const server = await aServer();
    await server.addUser('app', ['~vestibule:*', ...NEEDED_COMMANDS.map((command) => `+${command}`)]);
    const url = `redis://app:${TEST_PASSWORD}@127.0.0.1:${server.port}/1`;
    const { redis, events } = await connectedRedis({ url });
    const level = tokenStateLevel({ redis, clock });
    const digest = someDigest();
    await level.fill(digest, anAccessToken(), clock.nowMs());
    expect(await level.get(digest)).toMatchObject({ outcome: 'live' });
    expect(await level.invalidate([digest])).toBe('invalidated');
    expect(await redis.run((run) => run.incrby('vestibule:1:rate:x', 1))).toBe(1);
    expect(events).toEqual([{ event: 'ready' }]);
    expect(await redis.run((run) => run.set('elsewhere', 'x', { ttlMs: 1_000 }))).toBe(UNAVAILABLE);
    expect(events).toContainEqual({ event: 'fault', reason: 'NOPERM' });
    expect(await server.admin.call('ACL', 'LOG')).toHaveLength(1);
  });

  it('reports only the code of a refused login, and keeps trying', async () => {
    const server = await aServer();
    const events: RedisEvent[] = [];
    const url = `redis://app:hunter2@127.0.0.1:${server.port}`;
    const redis = connectRedis({ url, onEvent: (event) => void events.push(event) });
    onTestFinished(() => redis.close());
    await vi.waitUntil(() => events.length > 0, { timeout: 60_000, interval: 10 });
    expect(events[0]).toEqual({ event: 'fault', reason: 'WRONGPASS' });
    await server.admin.call('ACL', 'SETUSER', 'app', 'on', '>hunter2', '~vestibule:*', '+@all');
    await vi.waitUntil(() => redis.ping(), { timeout: 60_000, interval: 20 });
    expect(JSON.stringify(events)).not.toContain('hunter2');
  });

  it('resolves pending commands as unavailable when it is closed', async () => {
    const { redis } = await connectedRedis({ url: await testRedisUrl() });
    const level = tokenStateLevel({ redis, clock });
    const underWay = level.get(someDigest());
    redis.close();
    expect(['miss', 'unavailable']).toContain((await underWay).outcome);
    expect(await level.get(someDigest())).toEqual({ outcome: 'unavailable' });
    redis.close();
    expect(await redis.ping()).toBe(false);
  });
});
